declare namespace Market {
  /** An exact decimal as text; null when it is not known. */
  type Decimal = string | null;

  /** A token as it is named. */
  interface Named {
    id: string;
    name: string;
  }

  /** A token on the board. */
  interface Token extends Named {
    symbol: string;
    price: Decimal;
    /** The digits after the point that its price is shown with. */
    digits: number;
    number: number | null;
    levels: number[];
    market_cap: Decimal;
    change_1h: Decimal;
    change_24h: Decimal;
    change_7d: Decimal;
    change_1y: Decimal;
  }

  /** What is known of one token. */
  interface TokenAnswer {
    token: Token;
    currency: string;
  }

  interface Alert {
    id: string;
    token: string;
    symbol: string;
    kind: "above" | "below" | "change";
    value: string;
    seconds: number;
    currency: string;
    state: "waiting" | "raised" | "off";
    last_price: Decimal;
    digits: number;
    raised_at: string | null;
    command: string | null;
  }

  /** An entry of the ledger. */
  interface Entry {
    id: string;
    date: string;
    time: string | null;
    kind: string;
    symbol: string;
    amount: string;
    received_amount: Decimal;
    received_symbol: string | null;
    price: Decimal;
    total: Decimal;
    fee: Decimal;
    fee_amount: Decimal;
    fee_symbol: string | null;
    currency: string;
    income: string | null;
    place: string | null;
    destination: string | null;
    portfolio: string | null;
    note: string | null;
    tags: string[] | null;
  }

  /** Where prices come from and how old they are. */
  interface Origin {
    url: string | null;
    attribution: string | null;
    is_fresh: boolean;
    is_offline: boolean;
    problems: string[];
  }

  interface PastData {
    days?: string;
    points?: [number, number][];
    time_weighted_percent?: number | null;
    money_weighted_percent?: number | null;
    maximum_days?: number | null;
    pending?: string[];
    /** The symbols of tokens whose past prices are not known. */
    missing?: string[];
    error?: Hub.Failure;
  }

  interface PastChart {
    key: string;
    url: (days: string) => string;
    title: string;
    currency: string;
    otherwise?: string;
    topics?: string[];
    remark?: (data: PastData) => Hub.Child;
    nothing: string;
  }
}
