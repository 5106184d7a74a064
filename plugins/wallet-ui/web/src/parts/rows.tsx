// A long list of rows of which only those in sight are drawn.
import { Box } from '@mantine/core'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'
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
  const virtual = useWindowVirtualizer({
    count: items.length, estimateSize: () => height, overscan: 8, scrollMargin: top.current?.offsetTop ?? 0,
    getItemKey: (index) => { const item = items[index]; return item === undefined ? index : keyOf(item) },
  })
  const drawn = virtual.getVirtualItems()
  if ((drawn.at(-1)?.index ?? -1) >= items.length - 1) onEnd?.()
  return (
    <Box ref={top} role="list" aria-label={label} pos="relative" h={virtual.getTotalSize()}>
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
