// A long list of rows of which only those in sight are drawn.
import { Box } from '@mantine/core'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import type { VirtualItem, Virtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import classes from './rows.module.css'

interface Props<T> {
  readonly items: readonly T[]
  readonly keyOf: (item: T) => string
  /** Height of one row, in pixels; measured once it is drawn. */
  readonly height: number
  /** The list, for screen readers. */
  readonly label: string
  readonly children: (item: T) => ReactNode
  /** Called when the end comes in sight. */
  readonly onEnd?: (() => void) | undefined
  /**
   * For rows that remember nothing by themselves: what was drawn for one is used for others, which
   * spares the browser its clearing up.
   */
  readonly isReused?: boolean
}

export function Rows<T>({
  items,
  keyOf,
  height,
  label,
  children,
  onEnd,
  isReused = false,
}: Props<T>): ReactNode {
  const top = useRef<HTMLDivElement>(null)
  const margin = useTop(top)
  // The same function for the same items: every new one has all places computed again.
  const getItemKey = useCallback(
    (index: number) => {
      const item = items[index]
      return item === undefined ? index : keyOf(item)
    },
    [items],
  )
  const typical = useRef(height)
  const isLonger = useIsLonger(items, keyOf)
  const virtual = useWindowVirtualizer<HTMLDivElement>({
    count: items.length,
    estimateSize: () => typical.current,
    overscan: 5,
    scrollMargin: margin,
    getItemKey,
    // Who has scrolled keeps the place when rows come in at the top; who has not sees them come. To
    // keep it, all rows are gone through, which is not needed where they come at the end.
    anchorTo: !isLonger && window.scrollY > margin ? 'end' : 'start',
  })
  const drawn = virtual.getVirtualItems()
  const sizes = useSizes(virtual, typical)
  const rows = useRows({ items, children, isReused }, virtual, sizes)
  // After all rows are written: a height asked for in between has the page laid out each time.
  useLayoutEffect(sizes.tell)
  const isAtEnd = (drawn.at(-1)?.index ?? -1) >= items.length - 1
  useEffect(() => {
    if (isAtEnd) onEnd?.()
  }, [isAtEnd, onEnd])
  return (
    <Box
      ref={top}
      role="list"
      aria-label={label}
      pos="relative"
      className={classes['list'] ?? ''}
      style={{ overflowAnchor: 'none' }}
      h={virtual.getTotalSize()}
    >
      {rows.map(({ element }) => element)}
    </Box>
  )
}

/** The rows in sight. One that stays as it is, where it is, is the same object as before. */
function useRows<T>(
  { items, children, isReused }: Pick<Props<T>, 'items' | 'children'> & { isReused: boolean },
  { getVirtualItems, isScrolling, options: { scrollMargin } }: Virtualizer<Window, HTMLDivElement>,
  sizes: Sizes,
): readonly Row<T>[] {
  const drawn = getVirtualItems()
  const known = useRef<ReadonlyMap<Key, Row<T>>>(new Map())
  const before = useRef<Places>(new Map())
  const places = placesFor(
    drawn.map(({ key }) => key),
    before.current,
  )
  const rows = inOrder(drawn, isReused && isScrolling ? places : undefined).flatMap(
    ({ key, index, start }): readonly Row<T>[] => {
      const item = items[index]
      if (item === undefined) return []
      const place = isReused ? (places.get(key) ?? key) : key
      const row: Told<T> = { key, index, offset: start - scrollMargin, item, place, children }
      const last = known.current.get(key)
      return [last !== undefined && isSame(last, row) ? last : withElement(row, sizes)]
    },
  )
  useLayoutEffect(() => {
    before.current = places
    known.current = new Map(rows.map((row) => [row.key, row]))
  })
  return rows
}

/** Everything that decides how a row is drawn, and where. */
interface Told<T> {
  readonly key: Key
  readonly index: number
  /** Pixels below the beginning of the list. */
  readonly offset: number
  readonly item: T
  readonly place: Key
  readonly children: (item: T) => ReactNode
}

interface Row<T> extends Told<T> {
  /** The element; the same for an unchanged row, which is then not looked at again. */
  readonly element: ReactNode
}

function isSame<T>(a: Told<T>, b: Told<T>): boolean {
  return (
    a.item === b.item &&
    a.index === b.index &&
    a.offset === b.offset &&
    a.place === b.place &&
    a.children === b.children
  )
}

function withElement<T>(row: Told<T>, sizes: Sizes): Row<T> {
  const { key, index, offset, item, place, children } = row
  return {
    ...row,
    element: (
      <Place key={place} of={key} index={index} sizes={sizes} offset={offset}>
        {children(item)}
      </Place>
    ),
  }
}

/** True while the rows that were there are where they were, and others at most after them. */
function useIsLonger<T>(items: readonly T[], keyOf: (item: T) => string): boolean {
  const before = useRef(items)
  const { current } = before
  useLayoutEffect(() => {
    before.current = items
  })
  return [0, current.length - 1].every(
    (at) => keyAt(current, at, keyOf) === keyAt(items, at, keyOf),
  )
}

function keyAt<T>(items: readonly T[], at: number, keyOf: (item: T) => string): string {
  const item = items[at]
  return item === undefined ? '' : keyOf(item)
}

/**
 * As they are read. While they move, as their places came to be: to move an element in the document
 * costs as much as to draw it.
 */
function inOrder(drawn: readonly VirtualItem[], places?: Places): readonly VirtualItem[] {
  if (places === undefined) return drawn
  return drawn.toSorted((a, b) => (places.get(a.key) ?? 0) - (places.get(b.key) ?? 0))
}

type Key = string | number | bigint

/** The number of the place that draws an item, by the item's key. */
type Places = ReadonlyMap<Key, number>

/**
 * What is still in sight keeps its place, also when others come in above it; what comes into sight
 * takes those that are left.
 */
function placesFor(keys: readonly Key[], before: Places): Places {
  const kept = new Set(keys.map((key) => before.get(key)))
  const free = [...before.values()].filter((place) => !kept.has(place))
  let unused = Math.max(-1, ...before.values()) + 1
  return new Map(keys.map((key) => [key, before.get(key) ?? free.pop() ?? unused++]))
}

type List = Pick<Virtualizer<Window, HTMLDivElement>, 'resizeItem'>

/** The height that is expected of rows not drawn yet. */
interface Typical {
  current: number
}

interface Sizes {
  /** Keeps an eye on the height of a place. Answers how to stop. */
  watch(place: HTMLElement): () => void
  /** A place draws another row. */
  changed(place: HTMLElement): void
  /** Tells the list how high the rows are that have changed. */
  tell(): void
}

/**
 * A place is watched as long as it is there, whatever it draws. The list's own way is to watch it
 * anew for each row, which costs the browser a round of its own in every frame.
 */
function useSizes(list: List, typical: Typical): Sizes {
  const sizes = useRef<Sizes>(undefined)
  sizes.current ??= sizesOf(list, typical)
  return sizes.current
}

function sizesOf({ resizeItem }: List, typical: Typical): Sizes {
  const unknown = new Set<HTMLElement>()
  const observer = new ResizeObserver((entries) => {
    for (const { target } of entries)
      if (target instanceof HTMLElement && target.isConnected)
        resizeItem(indexOf(target), target.offsetHeight)
  })
  return {
    watch: (place) => {
      observer.observe(place)
      return () => {
        observer.unobserve(place)
        unknown.delete(place)
      }
    },
    changed: (place) => unknown.add(place),
    tell: () => {
      const heights = Array.from(unknown, (place) => [indexOf(place), place.offsetHeight] as const)
      unknown.clear()
      for (const [index, found] of heights) {
        // A wrong expectation has all that is below moved, and drawn once more, for each row that
        // comes into sight. The first row may have a heading of its own.
        if (index === 1) typical.current = found
        resizeItem(index, found)
      }
    },
  }
}

function indexOf(place: HTMLElement): number {
  return Number(place.dataset['index'])
}

interface PlaceProps {
  /** Key of the item that is drawn here now. */
  readonly of: Key
  readonly index: number
  /** Pixels below the beginning of the list. */
  readonly offset: number
  readonly sizes: Sizes
  readonly children: ReactNode
}

function Place({ of, index, offset, sizes, children }: PlaceProps): ReactNode {
  const element = useRef<HTMLDivElement>(null)
  useLayoutEffect(
    () => (element.current === null ? undefined : sizes.watch(element.current)),
    [sizes],
  )
  useLayoutEffect(() => {
    if (element.current !== null) sizes.changed(element.current)
  }, [of, sizes])
  return (
    <div
      ref={element}
      role="listitem"
      data-index={index}
      className={classes['place']}
      style={{ transform: `translateY(${offset}px)` }}
    >
      {children}
    </div>
  )
}

/**
 * How far down the page the list begins; what is above it may grow. Looked at when the page has
 * been laid out anyway.
 */
function useTop(of: { readonly current: HTMLElement | null }): number {
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    const look = (): void =>
      setTop(
        of.current === null
          ? 0
          : Math.round(of.current.getBoundingClientRect().top + window.scrollY),
      )
    look()
    const observer = new ResizeObserver(look)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [of])
  return top
}
