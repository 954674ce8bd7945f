"""When which call is made: with a clock that is set by hand."""

import itertools
import math

import pytest
from calibench_data.builders.call_schedule import HOPELESS, Limits, Schedule


def run(schedule, seconds=1.0, **ended):
    """Make all calls at once possible, one after the other; -> the times at which they began."""
    now, times = 0.0, []
    while not schedule.over:
        task, wait = schedule.take(now)
        if task is None:
            assert wait != math.inf or schedule.stopped
            now += 0 if schedule.stopped else wait
            continue
        times.append(now)
        now += seconds
        end = {"got_vote": True, "again": True, "cost": None, "wait": None} | ended
        schedule.finish(task, now, **end)
    return times


def test_each_task_once_in_order():
    schedule = Schedule("abc", Limits(concurrency=3))
    assert [schedule.take(0.0)[0] for _ in range(3)] == ["a", "b", "c"]
    assert schedule.take(0.0) == (None, math.inf)


def test_the_bound():
    schedule = Schedule("abc", Limits(concurrency=2))
    schedule.take(0.0), schedule.take(0.0)
    assert schedule.take(0.0) == (None, math.inf)
    schedule.finish("a", 1.0, True, True, None, None)
    assert schedule.take(1.0) == ("c", 0.0)


def test_the_rate():
    assert run(Schedule("abcd", Limits(rate=30)), seconds=0.5) == [0, 2, 4, 6]


def test_waits_double_up_to_a_minute_and_tries_end():
    schedule = Schedule("a", Limits(tries=9, backoff_s=1))
    times = run(schedule, seconds=0, got_vote=False)
    waits = [after - before for before, after in itertools.pairwise(times)]
    assert len(times) == 9
    for number, wait in enumerate(waits):
        longest = min(60, 2**number)
        assert longest / 2 <= wait <= longest


def test_what_another_try_does_not_help_is_left():
    assert len(run(Schedule("ab", Limits()), got_vote=False, again=False)) == 2


def test_a_wait_that_the_service_asks_for_holds_for_all():
    schedule = Schedule("ab", Limits(concurrency=1, backoff_s=0))
    schedule.take(0.0)
    schedule.finish("a", 1.0, False, True, None, 30.0)
    assert schedule.take(2.0) == (None, 29.0)
    assert schedule.take(31.0) == ("b", 0.0)


def test_too_long_a_wait_ends_the_run():
    schedule = Schedule("ab", Limits())
    run(schedule, got_vote=False, wait=3600.0)
    assert schedule.stopped.startswith("the service asks to wait 3,600 s")


def test_dollars_are_never_overspent_where_calls_cost_alike():
    for concurrency in (1, 4):
        schedule = Schedule(range(99), Limits(concurrency=concurrency, price=(1, 1), max_cost=1.0))
        flying, total = [], 0.0
        while not schedule.over:
            task, _ = schedule.take(0.0)
            if task is None:
                if not flying:
                    break
                schedule.finish(flying.pop(0), 0.0, True, True, 0.09, None)
                total += 0.09
            else:
                flying.append(task)
        assert total == pytest.approx(0.99)
        assert schedule.stopped == "the budget is used up"


def test_the_first_call_alone_shows_the_cost():
    schedule = Schedule("abc", Limits(price=(1, 1), max_cost=1.0))
    assert schedule.take(0.0)[0] == "a"
    assert schedule.take(0.0) == (None, math.inf)


def test_a_cost_that_is_not_known_ends_a_run_with_a_budget():
    schedule = Schedule("abc", Limits(price=(1, 1), max_cost=1.0))
    run(schedule)
    assert "does not say how many tokens" in schedule.stopped


def test_many_calls_in_vain_end_the_run_and_one_vote_in_between_does_not():
    schedule = Schedule(range(99), Limits(tries=1))
    assert len(run(schedule, got_vote=False)) == HOPELESS
    schedule = Schedule(range(99), Limits(tries=1))
    for number in range(99):
        task, _ = schedule.take(0.0)
        schedule.finish(task, 0.0, number % HOPELESS == 0, True, None, None)
    assert not schedule.stopped


@pytest.mark.parametrize(
    "wrong",
    [
        {"concurrency": 0},
        {"tries": 0},
        {"rate": 0},
        {"rate": math.nan},
        {"max_calls": -1},
        {"max_cost": 1.0},
        {"max_cost": -1.0, "price": (1, 1)},
        {"price": (-1, 1)},
        {"backoff_s": 61},
    ],
)
def test_limits_that_are_none(wrong):
    with pytest.raises(ValueError, match="allowed"):
        Limits(**wrong)
