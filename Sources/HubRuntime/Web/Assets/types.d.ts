// The types that all pages share. A page's own are in types.d.ts beside it. These files are for the type checker alone and are
// not part of the program.

declare namespace Hub {
  // Drawing

  /** A description of an element, as `h` makes it. */
  interface Description {
    name: string;
    properties: Properties;
    children: Content[];
  }

  /** What an element shows. */
  type Content = Description | Node | string | number;

  /** A child of a description: null, undefined and false are skipped, lists are flattened. */
  type Child = Content | boolean | null | undefined | Child[];

  interface Properties {
    key?: string | number | null;
    /** Whether the children are left alone once they are created. */
    keep?: boolean;
    /** The elements of a description differ by its name, which a type cannot follow here: hence `any`. */
    created?: (element: any) => void;
    style?: Record<string, string> | null;
    /** Attributes, and listeners, whose events differ by their names: hence `any`. */
    [name: string]: any;
  }

  // Requests

  /** What is wrong with one value of a form. */
  interface Problem {
    field: string;
    index?: number;
    message: string;
    hint?: string | null;
  }

  /** The error in a response of the API. */
  interface ErrorBody {
    code?: string;
    detail?: string;
    hint?: string | null;
    details?: string[];
    problems?: Problem[];
  }

  /** What is shown of an error: a `HubError`, or one of the browser. */
  interface Failure {
    message: string;
    status?: number;
    code?: string;
    hint?: string | null;
    details?: string[];
    problems?: Problem[];
  }

  /** A response: its body, which differs by the route (hence `any`), the address of the next page, and the operation to undo. */
  interface Answer {
    body: any;
    next: string | null;
    operation: string | null;
  }

  interface Undoable {
    operation?: string | null;
    actions?: Description[];
    isError?: boolean;
    isUndo?: boolean;
  }

  /** A change that waits to be sent; `problem` says why hub refused it. */
  interface Waiting {
    operation: string;
    method: string;
    url: string;
    value: any;
    words: string;
    at: string;
    problem: string | null;
  }

  interface QueueProperties {
    storage: Pick<Storage, "getItem" | "setItem">;
    send: (entry: Waiting) => Promise<Answer>;
    changed: () => unknown;
    done: (entry: Waiting, answer: Answer) => unknown;
    refused: (entry: Waiting, problem: string) => unknown;
  }

  /** What waits to be sent: see queue.js. */
  interface Queue {
    waiting(): Waiting[];
    discard(operation: string): void;
    retry(operation: string): void;
    /** Sends a change, or keeps it and gives null. */
    deliver(method: string, url: string, value: object, words: string): Promise<Answer | null>;
    /** Sends what waits, and gives how many were sent. */
    flush(): Promise<number>;
  }

  /** What a change says: a text, or a function of the body of the answer, which differs by the route (hence `any`). */
  type Words = string | ((body: any) => string);

  // Views

  /** The parts of a view; `Data` is what it reads. */
  interface ViewProperties<Data = any> {
    topics?: string[];
    read?: (signal: AbortSignal) => Data | Promise<Data>;
    draw: (data: Data) => Child;
    isHeld?: () => boolean;
    onError?: ((error: Failure) => Child) | null;
    closed?: (() => void) | null;
  }

  interface View<Data = any> {
    ready: Promise<void>;
    refresh(): Promise<void>;
    redraw(): void;
    readonly data: Data;
    close(): void;
  }

  /** What an address says, by the names of its fields; null for nothing. The words of a search are always a text. */
  interface State {
    q: string;
    [name: string]: string | null;
  }

  /** Changes of an address. Numbers are written as text. */
  type Changes = Record<string, string | number | null>;

  interface PageProperties {
    path: string;
    fields: State;
    kept?: string[];
    article: HTMLElement;
  }

  /** Calls `draw` whenever the address changes, and `followed` when a link has led there. */
  type OnAddress = (draw: () => unknown, followed?: (link: HTMLAnchorElement, left: State) => void) => void;

  interface Page {
    state: State;
    article: HTMLElement;
    address(changes?: Changes): string;
    elsewhere(changes?: Changes): string;
    readAddress(): void;
    go(changes: Changes, options?: { isSure?: boolean }): Promise<boolean>;
    note(changes: Changes): void;
    guardLeaving(check?: () => boolean): void;
    onAddress: OnAddress;
  }

  interface GoOptions {
    isSure?: boolean;
    /** The part that gets the focus: the heading, a part that the view names, or none. */
    focus?: string | null;
  }

  interface SplitPage extends Page {
    go(changes: Changes, options?: GoOptions): Promise<boolean>;
    expectFocus(part?: string | null): void;
    takeFocus(element: HTMLElement, part?: string): void;
    show<Data>(properties: ViewProperties<Data>): View<Data>;
    backLink(options?: { id?: string | null; words?: string }): Description;
    heading(words: string, options?: { key?: string | number; back?: Child; takesFocus?: boolean; actions?: Child }): Description;
    arrange(options: { isOpen: boolean; isWide?: boolean; name?: string | null }): void;
    setEmpty(isEmpty: boolean): boolean;
    redraw(): void;
    refresh(): Promise<void> | undefined;
  }

  // Lists

  interface Group {
    label: string;
    start: number;
  }

  interface ListAnswer<Item> {
    rows: Item[];
    total: number;
    groups?: Group[];
  }

  interface ListProperties<Item> {
    label: string;
    load: (offset: number, limit: number, signal: AbortSignal) => Promise<ListAnswer<Item>>;
    row: (item: Item, at: { index: number; isSelected: boolean }) => Child;
    id: (item: Item) => string;
    open: (item: Item, index: number) => unknown;
    selected?: (ids: Set<string>) => void;
    allIDs?: (() => Promise<string[]>) | null;
    canSelect?: boolean;
    drawn?: (state: { first: number; last: number; total: number; isKnown: boolean }) => void;
  }

  interface List<Item> {
    element: HTMLElement;
    refresh(): Promise<void>;
    reset(): Promise<void>;
    focusIndex(index: number): void;
    focusID(id: string | null | undefined): void;
    select(ids: Iterable<string>): void;
    selectAll(): Promise<void>;
    clearSelection(): void;
    reveal(index: number): void;
    start(): Promise<void>;
    step(by: number): void;
    markOpen(id: string | null): void;
    jump(index: number): void;
    readonly focused: Item | null;
    readonly selection: string[];
    readonly total: number;
    readonly isKnown: boolean;
    itemOf(id: string): Item | null;
    neighbour(id: string): Item | null;
    close(): void;
  }

  interface SearchListProperties<Item> {
    list: List<Item>;
    topics: string[];
    state: State;
    note: (changes: Changes) => void;
    go: (changes: Changes, options?: GoOptions) => Promise<boolean>;
    readFilters: () => unknown;
    restarted?: () => void;
  }

  interface SearchList {
    find(words: string): Promise<void>;
    refreshList(): Promise<void>;
    restart(): Promise<void>;
    whenRead(): Promise<void>;
    removing(id: string): () => Promise<void>;
    followAddress(): void;
    openFirst(): Promise<void>;
    startList(): Promise<void>;
  }

  /** A page of list and details: see listpage.js. */
  interface ListPageProperties<Item> {
    name: string;
    noun: string;
    page: SplitPage;
    list: List<Item>;
    search: Pick<SearchList, "find" | "openFirst" | "refreshList" | "startList">;
    draw: () => unknown;
    isBusy?: () => boolean;
    itemViews?: (string | null)[];
    innerViews?: string[];
    remove: (ids: string[]) => unknown;
    keys: (page: { chosen(): string | null; hasChosen(): boolean; isOutside(): boolean; inQuery(): boolean }) => Shortcut[];
    move?: (by: number) => unknown;
    canArrow?: () => boolean;
    stay?: () => boolean;
    undone?: () => unknown;
  }

  interface ListPage {
    start(): Promise<void>;
  }

  // Entities

  /** A field of an entity's items. */
  interface EntityField {
    name: string;
    title: string;
    in_list: boolean;
  }

  /** What hub says of an entity: its routes are below `path`. */
  interface Entity {
    path: string;
    one: string;
    many: string;
    has_tags: boolean;
    has_history: boolean;
    fields: EntityField[];
  }

  interface Tag {
    tag: string;
    count: number;
  }

  /** What a list can be filtered by; a plugin adds its own. */
  interface EntityFilters {
    tags?: Tag[];
    trashed: number;
    [name: string]: any;
  }

  /** A query with a name. */
  interface SavedSearch {
    name: string;
    query: string;
  }

  interface SavedSearchesProperties {
    path: string;
    searches: SavedSearch[];
    page: SplitPage;
    query: string;
    /** The fields of the address, besides `q`, that narrow the list. */
    names: string[];
    changed: () => unknown;
  }

  /** One operation that changed an item. */
  interface EarlierValue {
    field: string;
    value: string;
    /** When the item has the value: then and now, then, or now. */
    span: "same" | "then" | "now";
  }

  interface EntityChange {
    at: string;
    who: string;
    operation: string;
    command: string;
    verb: string;
    changes: string[];
  }

  /** The part of a page that shows what is deleted. */
  interface TrashPage {
    show<Data>(properties: ViewProperties<Data>): View<Data>;
    heading(words: string): Description;
    refresh(): Promise<void> | undefined;
    elsewhere(changes?: Changes): string;
  }

  /** An item differs by its plugin: hence `any`. */
  interface EntityTrashProperties {
    page: TrashPage;
    topics?: string[];
    label?: (item: any, entity: Entity) => string;
    link?: (item: any, entity: Entity) => string;
    row?: (item: any, entity: Entity) => Child;
    words?: string;
  }

  interface EntityListProperties {
    entity: Entity;
    page: SplitPage;
    row?: (item: any) => Child;
    names?: string[];
    topics?: string[];
    groups?: (groups: Group[]) => Group[];
    open?: (item: any) => unknown;
    filterItems?: (item: (words: string, count: number | null, changes: Changes) => MenuItem) => MenuItems;
    filterWords?: () => string | null;
    tools?: () => Child;
    buttons?: (ids: string[], done: (isDone?: boolean) => void) => Child;
    read?: (answer: ListAnswer<any>) => unknown;
    emptied?: () => unknown;
    restarted?: () => void;
    removed?: (ids: string[]) => unknown;
  }

  interface EntityList extends SearchList {
    list: List<any>;
    isEmpty(): boolean;
    filter(changes: Changes): Promise<void>;
    remove(ids: string[], name?: string | null): Promise<void>;
    inUse(): EntityFilters;
  }

  interface EntityForm {
    fields: () => Field[];
    /** The values of an item, or of a new one. */
    values: (item: any) => Values;
    body: (values: Values) => object;
  }

  interface EntityPageProperties {
    entity?: Entity;
    row?: (item: any) => Child;
    details?: (item: any) => Child;
    actions?: (item: any) => MenuItems;
    overview?: { read?: (signal: AbortSignal) => any; draw: (data: any) => Child } | null;
    form?: EntityForm | null;
    keys?: ListPageProperties<any>["keys"];
  }

  // Forms

  /** A value of a field: a text, yes or no, words, or rows. */
  type Value = string | boolean | string[] | Row[];

  /** A value with a kind, such as a phone number. */
  interface Row {
    kind: string;
    value: string;
  }

  /** A field of a form; `Type` is its value. */
  interface Field<Type = any> {
    name?: string;
    label: string;
    element: HTMLElement;
    /** Whether it holds an array. */
    isList?: boolean;
    /** Whether it is folded away while it is empty. */
    isMore?: boolean;
    input(index?: number): HTMLInputElement & HTMLSelectElement & HTMLTextAreaElement;
    focus(index?: number): void;
    read(): Type;
    write(value: Type): void;
    words(value: Type): string;
  }

  interface FieldProperties<Type = string> {
    name?: string;
    label: string;
    hint?: string | null;
    value?: Type;
    isRequired?: boolean;
    /** Attributes of the input. */
    [attribute: string]: unknown;
  }

  interface TextProperties extends FieldProperties {
    isLong?: boolean;
  }

  /** A choice: its value, its words, and a hint. */
  type Option = readonly string[];

  interface ChoiceProperties<Type = string> extends FieldProperties<Type> {
    options: readonly Option[];
  }

  interface RowsProperties {
    name: string;
    label: string;
    addLabel: string;
    kinds: readonly Option[];
    parts: { label: string; [attribute: string]: unknown }[];
    split?: (value: string) => string[];
    join?: (texts: string[]) => string;
    value?: Row[];
    usual?: string;
  }

  interface OrderedProperties<Item> {
    label: string;
    items: Item[];
    row: (item: Item) => Child;
    name: (item: Item) => string;
    moved: (item: Item, from: number, to: number) => unknown;
  }

  interface OrderedList<Item> {
    element: HTMLElement;
    read(): Item[];
    write(items: Item[]): void;
  }

  /** The values of a form by the names of its fields, which a form declares as it runs: hence `any`. */
  type Values = any;

  /** A form; `Saved` is what its route answers. */
  interface FormProperties<Saved = any> {
    fields: (Field | HTMLElement)[];
    values?: Values;
    revision?: string | number | null;
    save: (values: Values, revision: string | number | null) => Promise<Saved>;
    reload?: (() => Promise<{ values: Values; revision: string | number | null }>) | null | "" | false;
    saved: (answer: Saved) => unknown;
    cancel: () => unknown;
    words?: string;
    label?: string | null;
    noun?: string;
  }

  interface Form {
    element: HTMLFormElement;
    isDirty(): boolean;
    isOpen(): boolean;
    fields: Field[];
    submit(): void;
    focus(): void;
    read(): Values;
  }

  // Actions

  interface Shortcut {
    key: string;
    words: string;
    act: (event: KeyboardEvent) => unknown;
    when?: () => boolean;
    /** Whether it acts while one types. */
    inFields?: boolean;
    /** Whether the help leaves it out. */
    isHidden?: boolean;
  }

  interface MenuItem {
    words: string;
    act?: () => unknown;
    href?: string;
    picture?: string | null;
    isDanger?: boolean;
    isChecked?: boolean;
  }

  /** The items of a menu; null is a line between groups. */
  type MenuItems = (MenuItem | null)[];

  interface MenuButtonProperties {
    label: string;
    words?: string | null;
    picture?: string;
    items: () => MenuItems;
    properties?: Properties;
  }

  /** A button of a question. */
  interface Choice {
    value: string;
    words: string;
    [attribute: string]: unknown;
  }

  // Charts

  type Shade = "good" | "bad" | null;

  interface BarChart {
    title: string;
    rows: { label: string; value: number; words?: string; state?: Shade }[];
    targets?: { value: number; words: string }[];
    columns?: string[];
    note?: string | null;
    say?: (value: number) => string;
    axis?: (value: number) => string;
  }

  interface LineChart {
    title: string;
    labels: string[];
    names?: string[];
    series: { name: string; values: (number | null)[] }[];
    columns?: string[] | null;
    note?: string | null;
    state?: Shade;
    say?: ((value: number) => string) | null;
    /** The value at which the axis begins; by default near the smallest one. */
    base?: number | null;
    axis?: (value: number) => string;
  }

  interface HeatMapDay {
    day?: string;
    share?: number | null;
    words: string;
    cells: string[];
    color?: string | null;
  }

  interface HeatMap {
    title: string;
    days: HeatMapDay[];
    offset?: number;
    weekdays?: string[];
    months?: { label: string; place: number }[];
    columns?: string[];
    note?: string | null;
    isCompact?: boolean;
    /** What the lightest and the darkest tint mean. */
    scaleWords?: [string, string] | null;
  }

  // Dates

  interface DateParts {
    year: number | null;
    month: number | null;
    day: number | null;
  }
}

// What the browsers that hub needs have, and the declarations of TypeScript 4.8 lack.

interface Array<T> {
  toReversed(): T[];
  toSorted(compare?: (one: T, other: T) => number): T[];
  findLast(matches: (item: T, index: number) => boolean): T | undefined;
}

interface String {
  toWellFormed(): string;
}

interface PromiseConstructor {
  withResolvers<T = any>(): { promise: Promise<T>; resolve: (value?: T) => void; reject: (reason: unknown) => void };
}

declare namespace Intl {
  interface NumberFormat {
    /** A text is an exact decimal. */
    format(value: number | bigint | string): string;
  }
}

interface AbortSignal {
  throwIfAborted(): void;
}

interface Element {
  checkVisibility(): boolean;
  closest<E extends Element = HTMLElement>(selectors: string): E | null;
}

// What is sought by a selector is an element of HTML.
interface ParentNode {
  querySelector<K extends keyof HTMLElementTagNameMap>(selectors: K): HTMLElementTagNameMap[K] | null;
  querySelector<E extends Element = HTMLElement>(selectors: string): E | null;
  querySelectorAll<K extends keyof HTMLElementTagNameMap>(selectors: K): NodeListOf<HTMLElementTagNameMap[K]>;
  querySelectorAll<E extends Element = HTMLElement>(selectors: string): NodeListOf<E>;
}

interface HTMLElement {
  showPopover(): void;
  hidePopover(): void;
}

interface Node {
  moveBefore?(node: Node, next: Node | null): void;
}

interface Event {
  /** Of a `formdata` event. */
  readonly formData?: FormData;
  /** Of a `toggle` event of a popover. */
  readonly newState?: string;
}

interface EventTarget {
  // The targets of the events of a page are elements.
  closest?<E extends Element = HTMLElement>(selectors: string): E | null;
  contains?(node: Node): boolean;
}
