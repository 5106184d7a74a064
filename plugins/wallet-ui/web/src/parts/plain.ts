// Parts of rows that are made once and then only written into: while a long list is scrolled, each
// row that comes into sight would otherwise be described, compared and cleared up piece by piece.
import { useLayoutEffect, useRef } from 'react'
import type { RefObject } from 'react'

/** Elements without a parent yet, and how to make them show something. */
export interface Plain<V extends readonly unknown[]> {
  readonly nodes: readonly HTMLElement[]
  show(...values: V): void
}

/**
 * For the `ref` of an element without children: what `make` makes stands in it, and shows the
 * values, again whenever one of them changes.
 */
export function usePlain<E extends HTMLElement, V extends readonly unknown[]>(
  make: () => Plain<V>,
  ...values: V
): RefObject<E | null> {
  const parent = useRef<E>(null)
  const made = useRef<Plain<V>>(undefined)
  useLayoutEffect(() => {
    if (made.current === undefined) {
      made.current = make()
      parent.current?.append(...made.current.nodes)
    }
    made.current.show(...values)
  }, values)
  return parent
}

/** An element of a class of ours. */
export function plainElement(tag: 'div' | 'span', className = ''): HTMLElement {
  const made = document.createElement(tag)
  if (className !== '') made.className = className
  return made
}

/** Nothing is done where the text stands there already: each change is laid out. */
export function write(node: HTMLElement, text: string): void {
  const { firstChild } = node
  if (firstChild instanceof Text) {
    if (firstChild.data !== text) firstChild.data = text
  } else node.replaceChildren(text)
}

/** Shows a text on hover. */
export function hint(node: HTMLElement, text: string): void {
  if (node.title !== text) node.title = text
}
