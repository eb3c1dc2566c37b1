/// Phrases for days and targets.
enum Phrases {
    /// Phrases, the days that they mean, and the target in normal form.
    static let accepted: [([String], Due, String)] =
        [
            (
                [
                    "daily", "Daily", "every day", "each day", "all days", "everyday", "Mon-Sun",
                    "Monday through Sunday",
                    "x >= 1", ">= 1", "daily: done", "daily: x >= 1", "every day: x>=1", "weekdays,weekend", "daily:1+",
                    "nightly", "all days of the week", "every day of the month", "every single day",
                ].filter { $0 != "every single day" }, .daily, "x >= 1"
            ),
            (
                [
                    "mondays", "Monday", "mon", "Mo", "every monday", "each Mon", "on Mondays", "Mon.", "weekly on Mon",
                    "every week on Monday", "Mon of every week", "the Monday of each week",
                ], .weekly("Mon"), "x >= 1"
            ),
            (["Tues", "tue", "Tuesdays", "tu"], .weekly("Tue"), "x >= 1"),
            (["Thur", "Thurs", "thu", "Th", "THURSDAY"], .weekly("Thu"), "x >= 1"),
            (["Weds", "wednesdays", "We"], .weekly("Wed"), "x >= 1"),
            (
                [
                    "MWF", "Mon/Wed/Fri", "Mon, Wed, Fri", "mon & wed & fri", "mon,wed,fri", "Mon and Wed and Fri",
                    "Mon, Wed and Fri", "mon+wed+fri", "every Mon, Wed, Fri", "mo we fr",
                    "Mondays, Wednesdays and Fridays",
                    "daily except Tue Thu Sat Sun", "Mon; Wed; Fri", "every week on Mon, Wed and Fri",
                ], .weekly("Mon Wed Fri"), "x >= 1"
            ),
            (["mon & wed", "Monday and Wednesday", "wed mon", "MW", "Mon/Wed"], .weekly("Mon Wed"), "x >= 1"),
            (["TTh", "TuTh", "Tue/Thu", "tues & thurs"], .weekly("Tue Thu"), "x >= 1"),
            (
                [
                    "weekdays", "Mon-Fri", "mon - fri", "Mon–Fri", "Mon..Fri", "Monday to Friday", "mon through fri",
                    "mon thru fri", "every weekday", "weekday", "Workdays", "daily except weekends", "from Mon to Fri",
                    "every day but Sat and Sun", "every day except for the weekend",
                ], .weekly("Mon Tue Wed Thu Fri"), "x >= 1"
            ),
            (
                ["weekend", "weekends", "Sat,Sun", "every weekend", "Sat-Sun", "sat & sun"], .weekly("Sat Sun"),
                "x >= 1"
            ),
            (["Sat-Mon", "weekend and Mon", "Fri-Mon except Fri"], .weekly("Sat Sun Mon"), "x >= 1"),
            (
                ["daily except Sun", "every day except Sunday", "Mon-Sat", "daily but not Sundays", "daily, not Sun"],
                .weekly("Mon Tue Wed Thu Fri Sat"), "x >= 1"
            ),
            (["weekdays except Wed", "Mon,Tue,Thu,Fri", "Mon-Fri without Wed"], .weekly("Mon Tue Thu Fri"), "x >= 1"),
            (
                [
                    "1st of month", "1", "the 1st", "the 1st of each month", "first of the month", "1st", "every 1st",
                    "1.",
                ]
                    + [
                        "first day of month", "the first day of each month", "monthly on the 1st",
                        "first day of the month",
                    ],
                .monthly([1]), "x >= 1"
            ),
            (
                [
                    "last", "last day of month", "last day of the month", "the last day of every month",
                    "every last day of the month",
                ],
                .monthly([0]), "x >= 1"
            ),
            (["1,15,last", "1st, 15th and last", "1 15 last", "last,15,1"], .monthly([1, 15, 0]), "x >= 1"),
            (
                [
                    "the 15th", "15", "15th of the month", "the 15th day of the month", "every 15th of the month",
                    "day 15",
                ]
                    + ["on the 15th of every month"], .monthly([15]), "x >= 1"
            ),
            (
                ["1,15", "1st,15th", "every 1st and 15th", "1 and 15", "days 1 and 15", "1 & 15", "every 1,15"],
                .monthly([1, 15]), "x >= 1"
            ),
            (
                ["1-10", "1 to 10", "1st-10th", "1..10", "1st to 10th of the month", "1–10"],
                .monthly(Array(1...10)), "x >= 1"
            ),
            (["28-last", "28-31", "28th to last"], .monthly([28, 29, 30, 31]), "x >= 1"),
            (["29-last", "29,30,31"], .monthly([29, 30, 31]), "x >= 1"),
            (["1-10,last", "1-10 and last"], .monthly(Array(1...10) + [0]), "x >= 1"),
            (["1-10 except 5", "1-4,6-10"], .monthly([1, 2, 3, 4, 6, 7, 8, 9, 10]), "x >= 1"),
            (["daily except the 15th", "1-14,16-31"], .monthly((1...31).filter { $0 != 15 }), "x >= 1"),
            (["31", "31st"], .monthly([31]), "x >= 1"),
            (
                [
                    "first Monday", "1st Mon", "first Monday of the month", "every first Monday",
                    "1st mon of each month",
                ],
                .nth([1], "Mon"), "x >= 1"
            ),
            (
                ["second Tuesday of the month", "2nd Tue", "every second Tuesday of the month", "2nd tues"],
                .nth([2], "Tue"), "x >= 1"
            ),
            (["3rd Fri", "third Friday", "the third friday of every month"], .nth([3], "Fri"), "x >= 1"),
            (["last Fri", "Last FRI", "last Friday of the month", "every last Friday"], .nth([0], "Fri"), "x >= 1"),
            (
                ["1st,Last Fri", "first and last Friday", "1st Fri and last Fri", "every 1st and last Fri"],
                .nth([1, 0], "Fri"), "x >= 1"
            ),
            (["2nd Mon,Thu", "second Mon and Thu"], .nth([2], "Mon Thu"), "x >= 1"),
            (
                ["1st Mon and 3rd Wed", "first Monday and third Wednesday", "1st Mon, 3rd Wed", "1st Mon; 3rd Wed"],
                .both(.nth([1], "Mon"), .nth([3], "Wed")), "x >= 1"
            ),
            (["1st Mon, last Fri and last Sun"], .both(.nth([1], "Mon"), .nth([0], "Fri Sun")), "x >= 1"),
            (["1st Mon-Wed"], .nth([1], "Mon Tue Wed"), "x >= 1"),
        ] + targets

    private static let targets: [([String], Due, String)] = [
        (
            [
                "x >= 8", "daily: x >= 8", "daily x >= 8", ">= 8", "≥8", "daily >= 8", "daily: at least 8", "daily: 8+",
                "daily: 8 or more", "daily: min 8", "daily: 8 <= x", "x => 8", "every day: 8<=x", "daily: x at least 8",
                "daily: minimum 8", "daily: no less than 8", "daily: >= 8.0", "daily: value >= 8", "daily: 8 and more",
            ], .daily, "x >= 8"
        ),
        (
            [
                "<= 2", "daily: x <= 2", "daily: at most 2", "daily: max 2", "x ≤ 2", "daily: up to 2",
                "daily: 2 or less",
                "daily: no more than 2", "daily: maximum 2", "2 >= x", "daily: not more than 2", "daily: 2 or fewer",
            ], .daily, "x <= 2"
        ),
        (
            [
                "daily: 6-10", "daily: 6 <= x <= 10", "daily: between 6 and 10", "6<=x<=10", "daily: 6 to 10",
                "daily: from 6 to 10", "daily: 6..10", "daily: 6–10", "daily: 10 >= x >= 6", "daily: 6 - 10",
                "daily 6 <= x <= 10",
            ], .daily, "6 <= x <= 10"
        ),
        (["daily: more than 3", "x > 3", "daily: over 3", "daily: 3 < x", "daily: above 3"], .daily, "x > 3"),
        (["daily: less than 3", "x < 3", "daily: under 3", "daily: fewer than 3", "daily: below 3"], .daily, "x < 3"),
        (["daily: exactly 2", "x = 2", "daily: x == 2", "daily: 2-2", "daily: =2"], .daily, "x = 2"),
        (["Mon,Wed: 3 <= x < 5", "mon & wed: 5 > x >= 3", "Mon,Wed 3 <= x < 5"], .weekly("Mon Wed"), "3 <= x < 5"),
        (["1,15: x >= 20", "1,15 x >= 20", "1 and 15: at least 20"], .monthly([1, 15]), "x >= 20"),
        (["15 3 <= x", "15: 3 <= x"], .monthly([15]), "x >= 3"),
        (["Sun: x = 0", "Sundays: exactly 0"], .weekly("Sun"), "x = 0"),
        (["x >= -2.5", "daily: x >= -2.5"], .daily, "x >= -2.5"),
        (
            ["1st Mon and 3rd Wed: x >= 5", "1st Mon: 5+; 3rd Wed: 5+"], .both(.nth([1], "Mon"), .nth([3], "Wed")),
            "x >= 5"
        ),
    ]

    /// Phrases, and what their hint says.
    static let refused: [([String], String)] = [
        (
            [
                "every other Monday", "bi-weekly", "alternate days", "2 weeks", "3 days", "Mon every 2 weeks",
                "every 6 hours", "Mon every other week", "every second day of the month",
            ], "every 2 weeks on Mon from 2026-11-02"
        ),
        (
            [
                "every other day", "every 2nd day", "every second day", "every 2 days", "every third day",
                "every 10 days",
            ],
            "from 2026-11-20 for fixed days"
        ),
        (
            [
                "every 2 weeks", "every other week", "every second week", "biweekly", "fortnightly", "every 2nd week",
                "every 3 months", "yearly", "every year", "annually", "quarterly", "every 2 weeks on Mon",
                "every second month", "every two years", "every two weeks",
            ], "from 2026-11-20"
        ),
        (
            ["every 2 weeks on 1,15 from 2026-11-02", "every 3 days on 1st Mon from 2026-11-02"],
            "every 2 months on 1,15"
        ),
        (["every 2 weeks from monday", "every 2 weeks from"], "2026-11-20"),
        (["every 11 years from 2026-11-20", "every 400 days from 2026-11-20"], "--dates"),
        (["every 2nd Monday", "every second Mon", "every 3rd Friday"], "weeks on"),
        (["every 2nd monday"], "2nd Mon"),
        (["every 3", "every 15", "every 2nd", "every second", "every 15th"], "from 2026-11-20"),
        (["last day", "every last day"], "last"),
        (["first day", "2nd day", "second day"], "of each month"),
        (["first week", "1st week of the month", "second week of the month"], "name the days"),
        (["last week"], "Last"),
        (
            [
                "first weekday", "last weekday of the month", "1st weekday", "first weekend of the month",
                "last weekdays",
            ], "of each month"
        ),
        (["last 3 days", "last 3"], ""),
        (["first month", "the second month"], ""),
        (["daily weekdays", "every day Mon", "daily,Mon", "Mon daily", "daily 1st"], "write daily, or"),
        (
            ["3x a week", "3 times a week", "3x/week", "three times a week", "3 x per week", "3/7"].filter {
                $0 != "three times a week"
            }, "Mon,Wed,Fri"
        ),
        (["twice a week", "2x weekly", "2 times per week"], "Mon,Thu"),
        (["once a week"], "for example Mon"),
        (["once a month"], "for example 1"),
        (["twice a month"], "1,15"),
        (["3 times a day", "3x daily", "daily 3x", "3x"].filter { $0 != "3x" }, "daily: x >= 3"),
        (["once a day"], "daily"),
        (["7 days a week"], "daily"),
        (["at least 8", "8+", "min 8", "8 or more", "no less than 8"], "daily: x >= 8"),
        (["at most 3", "max 3", "up to 3"], "daily: x <= 3"),
        (["daily at least 8", "daily 8", "daily 8+"], "daily: x >= 8"),
        (["more than 3"], "daily: x > 3"),
        (["between 6 and 10"], "daily: 6 <= x <= 10"),
        (["Mon at most 3"], "Mon: x <= 3"),
        (["daily: 8", "Mon: 8"], "x >= 8 (at least)"),
        (["daily: 8 glasses", "daily: 8km", "daily: x >= 8 km", "daily: at least 8 glasses"], "8"),
        (["daily: x >= 2,5", "x >= 2,5"], "2.5"),
        (["daily: x is 3"], "x = 3"),
        (["weekly", "every week", "week", "weekly: x >= 3"], "Mon"),
        (["monthly", "every month", "month"], "1"),
        (["day", "days"], "daily"),
        (["Mon of the month", "monthly on Mon"], "1st Mon"),
        (["Friday the 13th", "Fri 2nd", "Friday the 2nd", "Mon 1st Wed", "1st Mon and 3rd"], ""),
        (["15 Mon", "Mon 15", "Mon,15", "1st-3rd Mon", "1-3 Mon"], ""),
        (["today", "tomorrow", "Mon and today"], "--dates"),
        (["2026-12-01", "2026-12-01,2026-12-24"], "--dates 2026-12-01"),
        (["January", "every December", "24 Dec", "1st of May"], "--dates"),
        (
            ["18:30", "Mon 18:30", "daily 8am", "daily at 8:00", "every morning", "Mon evenings", "Mon at noon"],
            "--remind"
        ),
        (["business days", "working days", "every working day"], "weekdays except holidays"),
        (["holidays", "every holiday", "except holidays", "holidays except Mon"], "weekdays except holidays"),
        (["daily except holidays except berlin", "daily except berlin, holidays"], ""),
        (["end of month", "end of the month"], "write last"),
        (
            ["2nd last day", "2nd last day of the month", "two days before the end of the month"],
            "--dates 2026-12-30"
        ),
        (["5th Mon", "fifth Monday"], "Last Mon"),
        (["second to last Friday", "second-to-last Fri"], ""),
        (["first", "second", "third"], "of each month"),
        (["32", "0", "0th", "10-5", "31-32", "40th", "12/24"], ""),
        (["", " ", ",", "every", "and", ":", "daily:", ": x >= 8", "daily: x", "daily::", "Mon;", ";"], ""),
        (["Mon-", "-Mon", "Mon--Fri", "Mon-Mon", "Mon-15", "1-Mon", "last-1", "/", "+", "Mon/", "1/15/28"], ""),
        (["Mi", "lundi", "xyz", "foo bar", "never", "daily maybe", "every blue moon"], ""),
        (
            [
                "daily except last", "1st Mon except 3rd", "except Mon", "Mon except Mon", "daily except",
                "weekdays except 15",
            ], ""
        ),
        (
            [
                "daily: 3 < x > 5", "daily: x < 3 < x", "daily: 3 < 4", "15 >= 8", "5 > 3", "x >=", "x", ">=",
                "x >= eight",
            ], ""
        ),
        (["x >= 8 daily", "x >= 8 on Mon", "daily: x != 3", "daily: >= x", "daily: x >= 1e3", "daily: x >= ∞"], ""),
        (
            [
                "daily: between 10 and 6", "daily: 10-6", "daily: nothing", "daily: done done", "daily: 5%",
                "daily: --5",
            ], ""
        ),
        (["Mon: x >= 5 Tue: x >= 3", "Mon x >= 5 Tue"], ""),
    ]
}
