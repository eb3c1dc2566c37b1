declare namespace Contacts {
  /** A contact in a list. */
  interface Item {
    id: string;
    name: string;
    group?: boolean;
    organization?: string[];
    email?: string | null;
    phone?: string | null;
    photo?: string | null;
  }

  /** A line of a contact: a field with its kind. */
  interface Line {
    field: string;
    kind: string;
    value: string;
  }

  /** A contact with all that is known of it. */
  interface Contact {
    id: string;
    name: string;
    revision: number;
    kind?: string | null;
    title?: string | null;
    organization?: string[] | null;
    photo: string | null;
    book: string | null;
    tags: string[];
    form: Line[];
    entries: Line[];
    linked: { role: string; kind: string; name: string; id: string | null; email: string | null; photo?: string | null }[];
    others: { name: string; kind: string; value: string }[];
    changed_at: string;
    created_at: string;
    deleted_at: string | null;
  }

  interface Book {
    id: string;
    book: string;
    count: number;
    read_only: boolean;
  }

  /** What a merge does. */
  interface Merge {
    name: string;
    changes: Line[];
    conflicts: { field: string; kept: string; dropped: string }[];
    dropped: { name: string }[];
  }
}
