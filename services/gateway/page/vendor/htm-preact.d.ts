// What the page uses of the vendored file.
export interface VNode {
  type: unknown;
}
export function html(strings: TemplateStringsArray, ...values: unknown[]): VNode;
export function render(node: VNode, parent: Element): void;
export function useState<T>(
  initial: T | (() => T),
): [T, (next: T | ((before: T) => T)) => void];
export function useEffect(
  effect: () => void | (() => void),
  inputs?: readonly unknown[],
): void;
export function useLayoutEffect(
  effect: () => void | (() => void),
  inputs?: readonly unknown[],
): void;
export function useRef<T>(initial: T): { current: T };
