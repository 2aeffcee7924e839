// The cases of the round that is looked at.

/** @param {import("./types").DeskProps} props `id` is the round's */
export function CasePanel({ id }) {
  void id;
  return null;
}
