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
    note: string;
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
    note?: string;
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

  interface TextArea {
    element: HTMLTextAreaElement;
    receive(change: Change): void;
    idle(): Promise<void>;
    shownPlace(at: number): number;
    readonly text: string;
    insert(words: string, from?: number, to?: number): void;
    readonly selection: [number, number];
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

  interface Link {
    direction: string;
    title: string;
    id: string;
  }

  /** What hub says of a note beside its texts. */
  interface Note {
    id: string;
    name: string;
    owner: string;
    access: string[];
    readers: string[];
    tags: string[];
    folder: string;
    pinned: boolean;
    links: Link[];
    stale_links: number;
    changed_at: string;
    deleted_at: string | null;
  }
}
