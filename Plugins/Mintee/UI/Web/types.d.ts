declare namespace Mintee {
  /** How a day of a task went. */
  type DayState = "reached" | "under" | "over" | "skipped" | "free" | "open" | "unknown" | "none";

  /** A task on a day. */
  interface Item {
    id: string;
    name: string;
    state: DayState;
    /** Whether the day may still be reached. */
    open: boolean;
    settled: boolean;
    value: number;
    goal: string;
    /** Whether values are entered, and not only done or not. */
    counts: boolean;
    /** Whether a period has an upper bound alone. */
    limit: boolean;
    period_state: Period["state"] | null;
    /** The progress of the period: `1 of 3 this week, 4 days left`; null for a task without a target over several days. */
    period: string | null;
    tags: string[];
    /** The section of the day; null for none. */
    section: string | null;
    streak: number;
    week: DayState[];
    skip: string | null;
    note: string | null;
    /** Whether changes of the day wait to be sent. */
    isWaiting?: boolean;
  }

  /** A change of a day: see the route of days. */
  interface EntryChange {
    do: "done" | "set" | "up" | "down" | "skip" | "unskip" | "note" | "clear";
    value?: string | number;
    by?: number | string;
    text?: string;
  }

  /** What a deletion needs to know of a task or an analysis. */
  interface Named {
    id: string;
    name: string;
    revision?: number | null;
  }

  /** A week or a month of a task with a target over it. */
  interface Period {
    from: string;
    to: string;
    amount: number;
    needed: number | null;
    limit: number | null;
    state: "open" | "reached" | "under" | "over" | "none";
  }

  interface Task extends Named {
    periods: Period[];
    streak_unit: string;
    /** Whether a target over several days is a sum of values; null without one. */
    counts: boolean | null;
    today: string;
    deleted_at: string | null;
  }

  interface Analysis extends Named {
    order: number;
    deleted_at?: string | null;
  }

  /** What a band of values holds; the operators are those of exports: 0 none, 1 <, 2 <=, 3 =. */
  interface Target {
    min: number | string;
    max: number | string;
    minOperator: number;
    maxOperator: number;
  }

  /** Every so many days, weeks or months (1, 2, 3), from that of a day on. */
  interface DayInterval {
    Unit: number;
    Count: number;
    Start: string;
  }

  /** Days as exports name them: 1 days of the week, 2 weekdays of the month, 3 days of the month. */
  interface DayPattern {
    Type: number;
    DaysOfWeek: number[];
    WeeksOfMonth: number[];
    DaysOfMonth: number[];
    Interval?: DayInterval;
    /** The name of a calendar of holidays that is left out. */
    Except?: string;
  }

  /** A target on some days. */
  interface TargetSet extends Target {
    goal: string;
    words: string;
    pattern?: DayPattern;
  }

  interface Legend {
    categorizedEntries: { category: number; color: string }[];
    completionEntries: (Target & { color: string })[];
    words?: string[];
  }

  interface ChartDay {
    date: string;
    reached: number;
    under: number;
    over: number;
    value: number | null;
    color?: string | null;
  }

  interface Chart {
    type: "box" | "line";
    range: string;
    tasks: string[];
    target: { min: number | null; max: number | null; words: string } | null;
    reached: number;
    due: number;
    days: ChartDay[];
  }
}
