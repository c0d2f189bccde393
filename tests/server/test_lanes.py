"""The queue for workers: short work first within limits, bounded, and left in peace by who has gone."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any, cast

import pytest

from server.lanes import Idle, Lane
from server.process import Busy, Stopped, Worker


class Fake:
    """A worker without a process."""

    slow = False

    def __init__(self) -> None:
        self.killed = False
        self.opened = not Fake.slow

    def ready(self, seconds: float = 0.0) -> bool:
        return self.opened

    def alive(self) -> bool:
        return not self.killed

    def end(self) -> None:
        self.killed = True

    kill = end


def lane(size: int = 1, waiting: int = 20) -> Lane:
    return Lane(Idle(cast(Callable[[], Worker], Fake), size), size, waiting)


def stays() -> bool:
    return False


def waiting_for(line: Lane, work: Callable[[], Any]) -> threading.Thread:
    """Starts a thread, and comes back when it stands in the queue."""
    before = len(line._queue)
    thread = threading.Thread(target=work)
    thread.start()
    while len(line._queue) == before:
        time.sleep(0.001)
    return thread


def served(expected: list[float]) -> list[int]:
    """The order in which work is served that comes one after the other, each expected to take so many seconds."""
    line, order = lane(), []
    held = line.acquire(time.monotonic() + 30, stays)

    def ask(n: int, seconds: float) -> None:
        worker = line.acquire(time.monotonic() + 30, stays, seconds)
        order.append(n)
        line.release(worker, spent=False)

    threads = [waiting_for(line, partial(ask, n, seconds)) for n, seconds in enumerate(expected)]
    line.release(held, spent=False)
    for thread in threads:
        thread.join()
    assert line.acquire(time.monotonic() + 1, stays) is held
    return order


def test_of_equals_who_came_first_is_served_first() -> None:
    assert served([0.01] * 12) == list(range(12))


def test_short_work_passes_long_work() -> None:
    assert served([5.0, 0.02, 0.001, 5.0]) == [2, 1, 0, 3]


def test_nobody_is_passed_for_longer_than_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.lanes.LONGEST_YIELD", 0.0)
    assert served([600.0, 0.0, 600.0, 0.0]) == [0, 1, 2, 3]


def test_the_queue_is_bounded_and_forgets_who_gave_up() -> None:
    line = lane(waiting=1)
    held = line.acquire(time.monotonic() + 30, stays)
    with pytest.raises(Stopped, match="time limit"):
        line.acquire(time.monotonic() + 0.05, stays)
    with pytest.raises(Stopped, match="gone"):
        line.acquire(time.monotonic() + 30, lambda: True)
    got: list[Worker] = []
    thread = waiting_for(line, lambda: got.append(line.acquire(time.monotonic() + 30, stays)))
    with pytest.raises(Busy):
        line.acquire(time.monotonic() + 30, stays)
    line.release(held, spent=True)
    thread.join()
    assert got != [held], "a spent worker is replaced"
    assert not line._queue
    line.close()


def test_a_lane_that_is_closed_tells_who_waits_and_who_comes() -> None:
    line = lane()
    held = line.acquire(time.monotonic() + 30, stays)
    told: list[str] = []

    def ask() -> None:
        with pytest.raises(Stopped) as stopped:
            line.acquire(time.monotonic() + 30, stays)
        told.append(stopped.value.why)

    thread = waiting_for(line, ask)
    line.close()
    thread.join()
    ask()
    assert told == ["shutdown", "shutdown"]
    assert not held.alive()
    assert not line._queue


def test_of_the_idle_the_warmest_is_taken() -> None:
    line = lane(size=3)
    one, two = (line.acquire(time.monotonic() + 1, stays) for _ in range(2))
    line.release(one, spent=False)
    line.release(two, spent=False)
    assert line.acquire(time.monotonic() + 1, stays) is two
    line.release(two, spent=False)
    assert line.acquire(time.monotonic() + 1, stays) is two


def test_lanes_share_their_processes_and_keep_their_room() -> None:
    idle = Idle(cast(Callable[[], Worker], Fake), 3)
    general, quick = Lane(idle, 1, 1), Lane(idle, 2, 1)
    worker = general.acquire(time.monotonic() + 1, stays)
    general.release(worker, spent=False)
    assert quick.acquire(time.monotonic() + 1, stays) is worker, "the warmest, whichever lane it worked in"
    general.acquire(time.monotonic() + 1, stays)
    with pytest.raises(Stopped, match="time limit"):
        general.acquire(time.monotonic() + 0.01, stays)
    assert quick.acquire(time.monotonic() + 1, stays), "room that the other lane cannot take"


@pytest.mark.parametrize("end", ["ready", "dead"])
def test_a_new_process_gets_work_when_it_is_ready_and_room_is_not_lost(
    monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    line = lane()
    held = line.acquire(time.monotonic() + 1, stays)
    monkeypatch.setattr(Fake, "slow", True)
    line.release(held, spent=True)
    with pytest.raises(Stopped, match="time limit"):
        line.acquire(time.monotonic() + 0.05, stays)
    (new,) = cast(list[Any], line._starting)
    if end == "ready":
        new.opened = True
        assert line.acquire(time.monotonic() + 1, stays) is new
    else:
        new.kill()
        assert line.acquire(time.monotonic() + 1, stays) is not new


def test_a_worker_that_died_while_it_was_idle_is_replaced() -> None:
    line = lane()
    worker = line.acquire(time.monotonic() + 1, stays)
    line.release(worker, spent=False)
    worker.kill()
    assert line.acquire(time.monotonic() + 1, stays) is not worker
