// onnxport as a module: exports PyTorch models to ONNX, in browsers and in Node.js (docs/web.md).

/** A `.pt2`, `.pt`, ONNX or safetensors file: in Node.js its path or its bytes, in a browser a File, a Blob or bytes. */
export type ModelFile = string | Uint8Array | Blob;

import type {ExportOptions} from "./options.js";
export type {ExportOptions};

/** The options of applyWeights. */
export type SaveOptions = Pick<ExportOptions, "external_data" | "sync" | "max_seconds">;

/**
 * Where a model goes. In Node.js: a path. In a browser it is a name of a file: in the origin's private file system or,
 * with `folder`, in that folder. With `stream`, it returns where to write the file of each name; the model's weights
 * come first if they have a file of their own.
 */
export type Output =
    | string
    | {name: string; folder: FileSystemDirectoryHandle}
    | {name: string; stream: (name: string) => WritableStream<Uint8Array> | Promise<WritableStream<Uint8Array>>};

export interface CallOptions {
  /** Called now and then: of "write", `done` and `total` are bytes, of "read", "trace" and "passes" both are 0. */
  onProgress?: (stage: string, done: number, total: number) => void;
  /** Ends the call: it fails with the signal's reason, and nothing is left of what it was writing. */
  signal?: AbortSignal;
}

export interface Exported {
  /** The contents of `exporter export --report x.json`: "inputs", "outputs", "axes", "operators", "warnings",
   * "remarks", "files" ... */
  report: Record<string, unknown>;
  /** The bytes of memory that it took. */
  memory: number;
  /** In a browser, unless they went into streams: the files, in the origin's private file system; in a private window in memory. */
  files?: File[];
  /** In a browser, with a name as output: removes them. */
  remove?: () => Promise<void>;
}

export interface Report {
  kind: "cannot_export" | "usage" | "bad_input" | "cannot_write" | "memory_budget" | "deadline" | "cancelled";
  headline?: string;
  diagnostics: {
    /** "E0104": docs/codes.md lists them. */
    code: string;
    reason: string;
    op?: string;
    [more: string]: unknown;
  }[];
}

/** Why a call failed. */
export class ExportError extends Error {
  /** The command's exit status: 1 cannot be exported, 2 usage, 3 damaged input, 4 cannot write. */
  status: number;
  report: Report;
}

/** Writes a model as ONNX; without `output` it is only tried. Fails with ExportError. */
export function exportModel(
    model: ModelFile, options?: ExportOptions, how?: CallOptions & {output?: Output | null}): Promise<Exported>;

/** Writes an ONNX model with weights of a safetensors file or a saved state_dict. */
export function applyWeights(
    model: ModelFile, weights: ModelFile,
    how: CallOptions & {output: Output; options?: SaveOptions}): Promise<Exported>;

/** A model as text for people; with `html`, an ONNX model as a page. */
export function inspect(
    model: ModelFile, options?: ExportOptions, how?: CallOptions & {html?: boolean}): Promise<string>;

/** An axis of an input: whether it can be free, together with which others, or what fixes it. */
export interface AxisReport {
  input: string;
  axis: number;
  dtype: string;
  /** A number, or the name that the axis has already. */
  size: number | string;
  free: boolean;
  together: {input: string; axis: number}[];
  fixed_by: string;
}

/** Which axes can be free: what `exporter export --check-axes --json` says. */
export function checkAxes(model: ModelFile, options?: ExportOptions, how?: CallOptions): Promise<AxisReport[]>;

/** The operators that can be exported, sorted by name and opset. */
export function ops(): Promise<
    {name: string; first_opset: number; last_opset: number; spec: string; refusal?: string}[]>;

/** The values of the option `target`. */
export function targets(): Promise<
    {name: string; title: string; first_opset: number; last_opset: number; source: string; date: string}[]>;

export function version(): Promise<
    {version: string; build: string; onnx: string; first_opset: number; last_opset: number}>;
