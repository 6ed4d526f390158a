"""The original driver's lock, sherlock's KubernetesLock, as a process that the tests command through its standard input.

usage: sherlock-rival.py NAMESPACE NAME EXPIRE TIMEOUT

Says "ready" first. Commands, one a line; each is answered by one line:
  acquire   acquired | timeout
  release   released
  count N   counted: adds 1 to the number in the Secret NAME, N times, each time under the lock
"""

import base64
import sys
import time

import kubernetes
import sherlock

namespace, name, expire, timeout = sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4])
kubernetes.config.load_config()
secrets = kubernetes.client.CoreV1Api()
lock = sherlock.KubernetesLock(name, namespace, expire=expire, timeout=timeout, retry_interval=0.1)


def acquire():
    try:
        lock.acquire()
        return "acquired"
    except sherlock.LockTimeoutException:
        return "timeout"


def release():
    lock.release()
    return "released"


def add_one():
    data = secrets.read_namespaced_secret(name, namespace).data
    number = int(base64.b64decode(data["number"])) + 1
    # Without the lock another process would write in between and its addition would be lost.
    time.sleep(0.01)
    data = {"number": base64.b64encode(str(number).encode()).decode()}
    secrets.patch_namespaced_secret(name, namespace, {"data": data})


def count(rounds):
    for _ in range(rounds):
        with lock:
            add_one()
    return "counted"


print("ready", flush=True)
for line in sys.stdin:
    command, *arguments = line.split()
    outcome = {"acquire": acquire, "release": release, "count": lambda: count(int(arguments[0]))}[command]()
    print(outcome, flush=True)
