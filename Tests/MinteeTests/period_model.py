"""A model of targets over several days, written from the rules in docs/mintee.md: one habit a line in, its figures a line out."""
import functools
import json
import sys
from datetime import date, timedelta


def parse(text):
    return date.fromisoformat(text)


def weekday(day):
    return day.isoweekday()


class Habit:
    def __init__(self, data):
        self.start, self.end, self.today = parse(data["start"]), parse(data["end"]), parse(data["today"])
        self.weekdays = set(data["weekdays"])
        self.least = data["least"]
        self.holidays = {parse(day) for day in data["holidays"]}
        self.entries = {parse(day): value for day, value in data["entries"].items()}
        self.kind, self.measure, self.length = data["period"], data["measure"], data["length"]
        self.low, self.high, self.week_start = data["low"], data["high"], data["week_start"]
        # Each day is looked at for each period around it: its answers are kept.
        for answer in ("pattern", "due", "skipped", "possible", "entered", "done", "worth"):
            setattr(self, answer, functools.cache(getattr(self, answer)))

    # Days.
    def pattern(self, day):
        return weekday(day) in self.weekdays

    def due(self, day):
        # A holiday is left out unless something is entered on it.
        is_left_out = day in self.holidays and day not in self.entries
        return self.start <= day <= self.end and self.pattern(day) and not is_left_out

    def skipped(self, day):
        return self.due(day) and self.entries.get(day, 0) == "skip"

    def possible(self, day):
        return self.due(day) and not self.skipped(day)

    def entered(self, day):
        return self.possible(day) and day in self.entries

    def done(self, day):
        return self.entered(day) and self.entries[day] >= self.least

    def worth(self, day):
        if self.measure == "days":
            return 1 if self.done(day) else 0
        return self.entries[day] if self.entered(day) else 0

    # Periods.
    def span(self, day):
        if self.kind == "week":
            first = day - timedelta((weekday(day) - self.week_start) % 7)
            return [first + timedelta(i) for i in range(7)]
        if self.kind == "month":
            first = day.replace(day=1)
            days = []
            while first.month == day.month:
                days.append(first)
                first += timedelta(1)
            return days
        return [day - timedelta(i) for i in reversed(range(self.length))]

    def progress(self, day, today):
        days = self.span(day)
        possible = [d for d in days if self.possible(d)]
        amount = sum(self.worth(d) for d in days)
        if self.kind == "days":
            return self.rolling(day, days, possible, amount, today)
        rest = [d for d in possible if d >= today and not (self.measure == "days" and self.done(d))]
        of_pattern = [d for d in days if self.pattern(d)]
        # Had the days that were not possible been done: of days each is one, of a sum each its share.
        need = lacking = self.low
        if need is not None:
            if self.measure == "days":
                need = min(need, len(possible))
                lacking = min(self.low, len(of_pattern)) - amount - len(set(of_pattern) - set(possible))
            else:
                need = need * len(possible) / max(1, len(of_pattern))
                lacking = need - amount
        if not possible:
            state = "none"
        elif self.high is not None and amount > self.high:
            state = "over"
        elif need is None or amount >= need:
            state = "reached"
        elif self.measure == "days" and lacking > len(rest):
            state = "under"
        elif not rest:
            state = "none" if self.measure == "days" else "under"
        else:
            state = "open"
        last_chance = len(rest) <= (lacking or 0) if self.measure == "days" else len(rest) == 1
        tight = state == "open" and today in rest and last_chance
        return state, amount, len(rest), tight

    def rolling(self, day, days, possible, amount, today):
        reached = self.low is None or amount >= self.low
        over = self.high is not None and amount > self.high
        kept = 0
        if reached and self.low is not None:
            rest = amount
            for d in days:
                rest -= self.worth(d)
                if rest < self.low:
                    break
                kept += 1
        lost = [d for d in days if self.pattern(d) and not self.possible(d)]
        missed = not reached and (amount + len(lost) < self.low if self.measure == "days" else not lost)
        todo = self.possible(day) and not (self.measure == "days" and self.done(day))
        tight = day == today and missed and todo
        if not possible:
            state = "none"
        elif over:
            state = "over"
        elif reached:
            state = "reached"
        else:
            state = "open" if day >= today else "under" if missed else "none"
        return state, amount, kept, tight

    # Figures.
    def counted(self):
        due = [d for d in self.all_days() if self.due(d)]
        end = min(self.today, due[-1] if due else self.today)
        if self.kind != "days":
            states, day = [], self.start
            while day <= end:
                states.append(self.progress(day, self.today)[0])
                day = self.span(day)[-1] + timedelta(1)
            return states
        days = [self.start + timedelta(i) for i in range((end - self.start).days + 1)]
        if self.measure == "days" and self.high is None:
            covered = self.coverage([d for d in days if self.done(d)])
            return ["reached" if d in covered or self.skipped(d) or self.done(d) else "open" if d == self.today else "under"
                    for d in days]
        return [self.progress(d, self.today)[0] for d in days]

    def coverage(self, done):
        times = int(self.low)
        runs = []
        for i in range(len(done) - times + 1):
            begin, center = done[i], done[i + times - 1]
            size = self.length
            if size in (30, 31):
                size = len(Habit.month(begin))
            if (center - begin).days < size:
                runs.append([begin, center, begin + timedelta(size - 1)])
        for run, following in reversed(list(zip(runs, runs[1:]))):
            if run[2] >= following[0]:
                back = min((run[2] - run[1]).days, (run[2] - following[0]).days + 1)
                run[0] -= timedelta(back)
                run[2] -= timedelta(back)
        return {run[0] + timedelta(i) for run in runs for i in range((run[2] - run[0]).days + 1)}

    @staticmethod
    def month(day):
        first = day.replace(day=1)
        return [first + timedelta(i) for i in range(31) if (first + timedelta(i)).month == first.month]

    def all_days(self):
        return [self.start + timedelta(i) for i in range((self.end - self.start).days + 1)]

    def score(self):
        due = [d for d in self.all_days() if self.due(d)]
        end = min(self.today, due[-1] if due else self.today)
        if end == self.today and not (self.entered(end) or self.skipped(end)):
            end -= timedelta(1)
        given = sorted(d for d in self.entries if self.due(d) and d <= end)
        if not given:
            return 0.0
        span = {"week": 7, "month": 30, "days": self.length}[self.kind]
        times = max(1, int(self.low)) if self.measure == "days" and self.low is not None else 1
        keep = 0.5 ** ((times / span) ** 0.5 / 13)
        results = []
        for bound, is_low in ((self.low, True), (self.high, False)):
            if bound is None:
                continue
            value = 0.0 if is_low else 1.0
            factor = 2 if is_low and self.measure == "days" and times < span else 1
            day = given[0]
            window = []
            while day <= end:
                window.append(self.worth(day))
                total = sum(window[-span * factor:])
                if is_low:
                    part = min(1, total / ((times if self.measure == "days" else bound) * factor)) if bound > 0 else 1
                else:
                    part = min(1, max(0, 1 - (total - bound) / bound)) if bound > 0 else (0 if total > 0 else 1)
                if not self.skipped(day):
                    value = value * keep + part * (1 - keep)
                day += timedelta(1)
            results.append(value)
        return min(results)

    def shown(self):
        letters = ""
        day = self.start
        while day <= self.today:
            if not self.due(day):
                letters += "."
            elif self.skipped(day):
                letters += "s"
            elif self.entered(day):
                # 0 is no missed day of a sum.
                is_neutral = self.measure == "sum" and self.least == 1 and not self.progress(day, day)[3]
                letters += "r" if self.done(day) else "-" if is_neutral else "u"
            else:
                letters += "!" if self.progress(day, day)[3] else "-"
            day += timedelta(1)
        return letters

    def figures(self):
        streak = longest = 0
        states = self.counted()
        for state in states:
            if state == "reached":
                streak += 1
                longest = max(longest, streak)
            elif state in ("under", "over"):
                streak = 0
        count = {"week": 4, "month": 12, "days": 28}[self.kind]
        recent = [s for s in states[-count:] if s not in ("open", "none")]
        state, amount, left, tight = self.progress(self.today, self.today)
        return {
            "streak": streak, "longest": longest, "reached": recent.count("reached"), "due": len(recent),
            "score": self.score(), "state": state, "amount": amount, "left": left, "tight": tight, "shown": self.shown(),
        }


for line in sys.stdin:
    print(json.dumps(Habit(json.loads(line)).figures()))
