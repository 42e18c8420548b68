"""The transform of each row by recursion: X[k] = sum of x[j] * root^(j*k), modulo the prime."""
import array
import pathlib
import sys

PRIME = 998244353
folder, log_n = pathlib.Path(sys.argv[1]), int(sys.argv[2])


def transform(row, root):
    if len(row) == 1:
        return row
    even, odd = (transform(row[start::2], root * root % PRIME) for start in (0, 1))
    power, low, high = 1, [], []
    for a, b in zip(even, odd):
        b = b * power % PRIME
        low.append((a + b) % PRIME)
        high.append((a - b) % PRIME)
        power = power * root % PRIME
    return low + high


numbers = array.array("I", (folder / "u.bin").read_bytes()).tolist()
n = 1 << log_n
root = pow(3, (PRIME - 1) // n, PRIME)
result = [x for row in range(0, len(numbers), n) for x in transform(numbers[row:row + n], root)]
(folder / "u.out").write_bytes(array.array("I", result).tobytes())
