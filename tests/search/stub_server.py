#!/usr/bin/env python3
"""A language model's endpoint as tests want it: prints its port, then answers as each path says.

/busy: 429 with Retry-After, then 503, then the answer. /down: closes the connection, then the answer. /slow: never in time.
/refused: 401. /numbered: 401 with a number for a message. /unmetered: the answer with a null usage.
/nocode: an answer without code, then the answer. /words: never code. /cut: an answer that the limit on tokens cut.
/odd: an answer of no known style. /page: a web page. Anything else: the answer, in the style that the request's headers ask for,
which repeats what it was asked.
"""
import json
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

seen = {}
CODE = "\n```metal\nkernel void k() {}\n```\n"


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *words):
        pass

    def say(self, status, body, **headers):
        text = json.dumps(body).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def answer(self, asked):
        prompt = asked["messages"][0]["content"]
        if "x-api-key" in self.headers:
            assert self.headers["anthropic-version"] and asked["max_tokens"] > 0
            text = f"model {asked['model']} key {self.headers['x-api-key']} heard {prompt}{CODE}"
            return {"content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": text}],
                    "stop_reason": "end_turn", "usage": {"input_tokens": 1000, "output_tokens": 200}}
        text = f"model {asked['model']} key {self.headers['Authorization']} heard {prompt} {asked.get('temperature')}{CODE}"
        return {"choices": [{"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
                "usage": {"prompt_tokens": 1000, "completion_tokens": 200}}

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        count = seen[self.path] = seen.get(self.path, 0) + 1
        if self.path.startswith("/busy") and count == 1:
            return self.say(429, {"error": {"message": "slow down"}}, Retry_After="1")
        if self.path == "/busy" and count == 2:
            return self.say(503, {"error": {"message": "overloaded"}})
        if self.path == "/down" and count == 1:
            self.close_connection = True
            return self.connection.close()
        if self.path == "/slow":
            time.sleep(3600)
        if self.path == "/refused":
            return self.say(401, {"error": {"message": "no such key"}})
        if self.path == "/numbered":
            return self.say(401, {"error": {"message": 5}})
        if self.path == "/unmetered":
            return self.say(200, {**self.answer(asked), "usage": None})
        if self.path == "/words" or self.path == "/nocode" and count == 1:
            return self.say(200, json.loads(json.dumps(self.answer(asked)).replace("```", "")))
        if self.path == "/cut":
            cut = self.answer(asked)
            cut["choices"][0]["message"]["content"] = "```metal\nkernel void"
            cut["choices"][0]["finish_reason"] = "length"
            return self.say(200, cut)
        if self.path == "/odd":
            return self.say(200, {"greeting": "hello"})
        if self.path == "/page":
            page = b"<!DOCTYPE html><html><body>Welcome</body></html>"
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(page)))
            self.end_headers()
            return self.wfile.write(page)
        return self.say(200, self.answer(asked))


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
print(server.server_port, flush=True)
sys.stdout.close()
server.serve_forever()
