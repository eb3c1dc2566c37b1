declare namespace Notes {
  /** A change: keeps so many UTF-16 units, deletes so many, or inserts a text. */
  type Change = (number | string)[];

  /** An edit of the protocol: place, number of deleted scalars, inserted text. */
  type Edit = [number, number, string];

  /** The version of a text, as the server names it: only compared and sent back. */
  type Version = object | string | number;

  type Name = "title" | "content";

  /** A file of a note; `targets` are the forms in which its text may link to it. */
  interface Attachment {
    path: string;
    name: string;
    sha256: string;
    size_bytes: number;
    media_type: string;
    targets: string[];
    /** Whether it can be shown in the page. */
    picture?: boolean;
  }

  /** What is kept of a text, so that nothing is lost by a reload. */
  interface Snapshot {
    version: Version | null;
    known: string;
    inFlight: Change | null;
    buffered: Change;
    sequence: number;
  }

  /** A frame with the edits that follow a version, or with a whole text. */
  interface TextFrame {
    t?: "text";
    note?: string;
    field?: Name;
    from?: Version | null;
    to: Version;
    edits: Edit[];
    ack: number;
  }

  interface EditFrame {
    t: "edit";
    n: number;
    /** Null for a note that is not made yet; what is sent names it. */
    note: string | null;
    field: Name;
    seq: number;
    base: Version;
    edits: Edit[];
  }

  /** The selection of another agent. */
  interface PlaceFrame {
    t?: "at";
    note?: string;
    who: string;
    agent: string;
    field?: Name;
    at?: [number, number] | null;
  }

  /** A frame that is sent; which members it has depends on `t`. */
  interface Frame {
    t: string;
    n?: number;
    note?: string | null;
    [member: string]: unknown;
  }

  interface EditClient {
    field: Name;
    selections: Map<string, number[]>;
    readonly text: string;
    readonly isSaved: boolean;
    readonly isWaiting: boolean;
    readonly version: Version | null;
    snapshot(): Snapshot;
    type(change: Change): void;
    showSelection(agent: string, ends: number[]): void;
    discard(): void;
    forget(): void;
    request(n: number): EditFrame | null;
    receive(frame: TextFrame): Change | null;
  }

  /** What is kept of a note in the browser. */
  interface Draft {
    agent?: string;
    note: string | null;
    at: number;
    title?: Snapshot;
    content?: Snapshot;
    release?: () => void;
  }

  /** A field with the caret, and the ends of the selection. */
  interface Selection {
    field: Name;
    at: [number, number];
  }

  interface Person {
    who: string;
    moves: number;
  }

  interface PeersProperties {
    clients: Record<Name, EditClient>;
    selection: () => Selection | null;
    show: (place: { field: Name; at: number[]; version: Version }) => boolean;
  }

  interface Peers {
    people: Map<string, Person>;
    showSelection(): void;
    selected(): void;
    receive(frame: PlaceFrame): void;
    clear(): void;
    close(): void;
  }

  interface Socket {
    send(frame: Frame): boolean;
    readonly isOpen: boolean;
    readonly isMissing: boolean;
    readonly user: string;
    connect(): void;
    ready(): Promise<boolean>;
    ask(frames: Frame[]): Promise<unknown>;
    close(): void;
  }

  interface LiveProperties {
    id: string | null;
    draft?: Draft | null;
    made?: (id: string) => void;
    changed?: (field: Name, change: Change) => void;
    drawn?: () => void;
    idle?: () => Promise<void>;
    selection?: () => Selection | null;
  }

  interface Live {
    clients: Record<Name, EditClient>;
    isSaved(): boolean;
    isRead(): boolean;
    readonly id: string | null;
    readonly state: string;
    readonly failure: Hub.Failure | null;
    readonly texts: Record<Name, string>;
    start(): Promise<void> | void;
    peers: Map<string, Person>;
    readonly user: string;
    readonly isCutOff: boolean;
    selected(): void;
    typed(): void;
    sync(): Promise<void>;
    moveToNewNote(): Promise<void>;
    close(): Promise<void>;
  }

  /** A text as a field shows it, and the way between the places of both. */
  interface ShownForm {
    shown: string;
    place(at: number): number;
    shownPlace(at: number): number;
  }

  /** What undo and redo take back; `step` returns the change that it made. */
  interface TypingHistory {
    /** Takes in what was typed; changes of one `kind` that follow each other soon are one step, if it is not empty. */
    type(change: Change, how: { kind: string; words: string; at: number }): void;
    /** Carries the steps over a change from elsewhere. */
    receive(change: Change): void;
    step(isRedo: boolean): Change | null;
  }

  /** The field of a title or text. */
  interface TextField {
    element: HTMLElement;
    /** Shows a change that came from elsewhere. */
    receive(change: Change): void;
    /** Waits until no word is being composed. */
    idle(): Promise<void>;
    /** Where a place of the text is in the text as it is shown. */
    shownPlace(at: number): number;
    /** The text as it is shown. */
    readonly text: string;
    readonly isFocused: boolean;
    focus(at?: number): void;
    setReadOnly(isReadOnly: boolean): void;
    /** Puts words in place of the selection or of `from` to `to`, as if they were typed. */
    insert(words: string, from?: number, to?: number): void;
    /** The selection in the text, as places of UTF-16 units. */
    readonly selection: [number, number];
  }

  interface MarkdownFieldProperties {
    typed: () => void;
    picture: (target: string, words: string) => Picture | null;
    pasted: (event: ClipboardEvent) => void;
    [attribute: string]: unknown;
  }

  interface MarkdownField extends TextField {
    /** The element with the focus. */
    field: HTMLElement;
    /** Ticks the task in a line, counted from 0. */
    toggleTask(line: number): void;
    /** Ticks the task in the line of the caret. */
    toggleOwnTask(): void;
    showPeople(people: ShownPerson[]): void;
    /** Draws what follows from the files of the note again. */
    redraw(): void;
    close(): void;
  }

  /** An image below a line; `key` tells whether it is another. */
  interface Picture {
    key: string;
    element: () => HTMLElement;
  }

  /** Another person in a text; the end of the selection is the caret. */
  interface ShownPerson {
    key: string;
    who: string;
    name: string;
    moves: number;
    start: number;
    end: number;
  }

  /** Words of a line with the names of their styles. */
  interface StyledPart {
    words: string;
    style: string;
  }

  interface StyledLine {
    style: string;
    indent: string;
    task: number;
    parts: StyledPart[];
  }

  /** A line on the page; `fence` is the mark of the code that it is in, `drawn` its text as it is drawn. */
  interface Line {
    text: string;
    element: HTMLElement;
    fence: string | null;
    drawn: string | null;
    pictures: HTMLElement | null;
    pictureKey: string;
  }

  interface Lines {
    /** Shows a text in place of all. */
    reset(text: string): void;
    /** Puts words in place of `count` units from a place on. */
    replace(at: number, count: number, words: string): void;
    /** What a key deletes where nothing is selected, by the name that the browser gives it. */
    deletion(name: string, at: number): [number, number];
    /** The place of the text for a node of the page and the offset in it; null outside. */
    placeOf(node: Node, offset: number): number | null;
    nodeAt(at: number): { node: Node; offset: number };
    /** The text that the browser has put into the page. */
    read(): string;
    /** The place in the text that `read` returns. */
    readPlace(node: Node, offset: number): number;
    lineAt(at: number): { index: number; line: Line; offset: number };
    readonly text: string;
    line(index: number): string;
    startOf(index: number): number;
    /** Draws the pictures again, when the files of the note are others. */
    drawPictures(): void;
    /** Measures again, when the font is another. */
    refresh(): void;
  }

  /** A note in a list. */
  interface Item {
    id: string;
    name: string;
    excerpt: string;
    pinned: boolean;
    shared: boolean;
    changed_at: string;
    tags: string[];
    folder: string;
  }

  /** A change of equal links in a note. */
  interface LinkUpdate {
    note: string;
    old: string;
    /** Null where no name leads to the note any more. */
    new: string | null;
    count: number;
  }

  interface Link {
    direction: string;
    title: string;
    id: string;
  }

  /** What hub says of a note beside its texts. */
  interface Note {
    id: string;
    name: string;
    title: string;
    owner: string;
    owned: boolean;
    access: string[];
    readers: string[];
    tags: string[];
    folder: string;
    pinned: boolean;
    links: Link[];
    stale_links: number;
    /** The address at which everyone can read it. */
    public_url?: string | null;
    attachments?: Attachment[];
    changed_at: string;
    deleted_at: string | null;
  }
}
