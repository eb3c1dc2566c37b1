declare namespace Dictofun {
  /** When a record began. */
  interface Timed {
    /** The clock where the record began: `2026-11-20T09:41:00`. */
    recorded_at: string;
    /** Whether that is only the day, or the time of the import or transfer. */
    is_time_unknown?: boolean;
  }

  /** What the player needs to know of a record. */
  interface Playable extends Timed {
    id: string;
    length_ms: number;
  }

  /** A record in a list. */
  interface Item extends Playable {
    name: string | null;
    transcript: string | null;
    device: string | null;
    tags: string[];
    is_waiting: boolean;
  }

  interface Segment {
    start_ms: number | null;
    end_ms: number | null;
    /** The person who speaks, if the engine tells it. */
    speaker: string | null;
    text: string;
    /** Words with the place at which each begins, in milliseconds. */
    words: [string, number][];
  }

  interface Transcription {
    state: string;
    engine?: string | null;
    error?: string | null;
    progress_percent: number | null;
  }

  /** A record with its text. */
  interface Recording extends Playable {
    name: string | null;
    device: string;
    device_name: string;
    tags: string[];
    format: string;
    size: number;
    revision: number;
    segments: Segment[];
    engine: string | null;
    is_edited: boolean;
    is_rough: boolean;
    is_time_unknown: boolean;
    transcription: Transcription | null;
    deleted_at: string | null;
  }

  /** A recording that is kept in the browser until hub has it. */
  interface Kept {
    id: string;
    /** The clock where it began: `2026-11-20 09.41.00`. */
    began: string;
    /** The format in which the browser records. */
    type: string;
  }

  /** What is being recorded. */
  interface Session {
    kept: Kept;
    recorder: MediaRecorder;
    stream: MediaStream;
    context: AudioContext;
    analyser: AnalyserNode;
    /** Frees the lock of the recording. */
    release: () => void;
    wakeLock: WakeLock | null;
    pieces: Blob[];
    isDiscarded: boolean;
    /** Whether the browser keeps the pieces. */
    isKept: boolean;
    /** The writing of the pieces so far. */
    writing: Promise<unknown>;
    /** The milliseconds until the last pause. */
    elapsed: number;
    /** When the last pause ended; null during one. */
    resumedAt: number | null;
    /** When there was some sound. */
    heardAt: number;
  }

  /** Keeps the screen on (W3C Screen Wake Lock). */
  interface WakeLock {
    release(): Promise<void>;
  }

  interface PlayerListener {
    moved?: (record: Playable, place: number, isPlaying: boolean) => void;
    changed?: () => void;
  }

  interface Device {
    address: string;
    name: string;
    battery_percent: number | null;
    storage_percent: number | null;
    files: number | null;
    hardware: string | null;
    seen_at: string | null;
    synced_at: string | null;
  }

  /** What hub does with recorders. */
  interface Activity {
    kind: string;
    device?: string | null;
    ended?: number;
    result?: string | null;
    found?: { address: string; name: string; signal: number | null }[];
    error?: Hub.Failure | null;
    progress?: { phase: string; new: number; received: number; bytes: number; total_bytes: number } | null;
  }
}

interface Navigator {
  readonly wakeLock?: { request(type: "screen"): Promise<Dictofun.WakeLock> };
}
