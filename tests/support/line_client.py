"""A client of a server whose requests and answers are JSON objects on lines."""
import json


class LineClient:
    """Speaks with a server over what it reads and what it writes."""

    def __init__(self, to, back):
        self.to, self.back = to, back

    def ask(self, **request):
        self.send(json.dumps(request))

    def send(self, line):
        self.to.write(line.encode() + b"\n")
        self.to.flush()

    def answer(self):
        return json.loads(self.back.readline())

    def answers(self, count):
        """By id, in whatever order they come; no id comes twice."""
        all_of_them = [self.answer() for _ in range(count)]
        by_id = {answer["id"]: answer for answer in all_of_them}
        assert len(by_id) == count, all_of_them
        return by_id
