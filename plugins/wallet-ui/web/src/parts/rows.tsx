// A long list of rows of which only those in sight are drawn.
import { Box } from '@mantine/core'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'

interface Props<T> {
  readonly items: readonly T[]
  readonly keyOf: (item: T) => string
  /** Of one row, in pixels; measured once it is drawn. */
  readonly height: number
  /** What the list is, for whoever cannot see it. */
  readonly label: string
  readonly children: (item: T) => ReactNode
  /** Called when the end comes in sight. */
  readonly onEnd?: (() => void) | undefined
}

export function Rows<T>({ items, keyOf, height, label, children, onEnd }: Props<T>): ReactNode {
  const top = useRef<HTMLDivElement>(null)
  const margin = useTop(top)
  // The same function for the same items: every new one has all places computed again.
  const getItemKey = useCallback((index: number) => { const item = items[index]; return item === undefined ? index : keyOf(item) }, [items])
  const virtual = useWindowVirtualizer({
    count: items.length, estimateSize: () => height, overscan: 8, scrollMargin: margin, getItemKey,
    // Who has scrolled keeps the place when rows come in at the top; who has not sees them come.
    anchorTo: window.scrollY > margin ? 'end' : 'start',
  })
  const drawn = virtual.getVirtualItems()
  const isAtEnd = (drawn.at(-1)?.index ?? -1) >= items.length - 1
  useEffect(() => { if (isAtEnd) onEnd?.() }, [isAtEnd, onEnd])
  return (
    <Box ref={top} role="list" aria-label={label} pos="relative" style={{ overflowAnchor: 'none' }} h={virtual.getTotalSize()}>
      {drawn.map(({ key, index, start }) => {
        const item = items[index]
        return item === undefined ? null : (
          <Box
            key={key} role="listitem" data-index={index} ref={virtual.measureElement} pos="absolute" top={0} left={0} w="100%"
            style={{ transform: `translateY(${start - virtual.options.scrollMargin}px)` }}
          >
            {children(item)}
          </Box>
        )
      })}
    </Box>
  )
}

/** How far down the page the list begins; what is above it may grow. */
function useTop(of: { readonly current: HTMLElement | null }): number {
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    const { current } = of
    setTop(current === null ? 0 : Math.round(current.getBoundingClientRect().top + window.scrollY))
  })
  return top
}
