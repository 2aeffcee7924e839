// What the parts of the desk have in common.

import type { Problem } from "../js/types";

/** Who is signed in, as the door knows it. */
export interface Person {
  name: string;
  role: "viewer" | "resolver" | "admin";
}

/** Paths are those below `/support/v1`; every call may raise `Failed`. */
export interface Api {
  get(path: string): Promise<any>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<any>;
  /** The answer's bytes, and the name that the door gave the file. */
  file(path: string, body?: unknown): Promise<{ name: string; blob: Blob }>;
}

/** What every component on a route of the desk is given; `id` is what the path names. */
export interface DeskProps {
  api: Api;
  person: Person;
  navigate(path: string): void;
  id: string;
}

export type { Problem };
