// Facts in rows and columns; where there is no room for columns each row is a card that names its
// facts.
import { Card, Group, Stack, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { Empty, Loaded } from './page.tsx'
import type { LoadedProps } from './page.tsx'
import classes from './table.module.css'

export interface Column<T> {
  readonly title: string
  readonly of: (item: T) => ReactNode
  /** Buttons: below the facts of a card, and without a name there. */
  readonly isActions?: boolean
}

interface Props<T> {
  /** The rows, for screen readers. */
  readonly label: string
  readonly items: readonly T[]
  readonly keyOf: (item: T) => string
  readonly columns: readonly Column<T>[]
}

/** A table for some dozens of rows; long lists are `Rows`. */
export function DataTable<T>(props: Props<T>): ReactNode {
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  return isNarrow ? <Cards {...props} /> : <Wide {...props} />
}

interface ListingProps<D, T> extends Pick<LoadedProps<D>, 'query'>, Omit<Props<T>, 'items'> {
  readonly of: (data: D) => readonly T[]
  /** Says what to do if there is nothing. */
  readonly empty?: ReactNode
}

/** The items of an answer as a table, once they have come. */
export function Listing<D, T>({ query, of, empty, ...table }: ListingProps<D, T>): ReactNode {
  return (
    <Loaded query={query}>
      {(data) => {
        const items = of(data)
        return items.length === 0 && empty !== undefined ? (
          <Empty>{empty}</Empty>
        ) : (
          <DataTable items={items} {...table} />
        )
      }}
    </Loaded>
  )
}

/** The key of a contract. */
export function contractId({ contract_id: id }: { readonly contract_id: string }): string {
  return id
}

function Wide<T>({ label, items, keyOf, columns }: Props<T>): ReactNode {
  return (
    <div className={`surface ${classes['frame'] ?? ''}`}>
      <table aria-label={label} className={classes['table']}>
        <thead>
          <tr>
            {columns.map(({ title }) => (
              <th key={title}>{title}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={keyOf(item)}>
              {columns.map((column) => (
                <td key={column.title}>{column.of(item)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Cards<T>({ label, items, keyOf, columns }: Props<T>): ReactNode {
  return (
    <Stack gap="sm" role="list" aria-label={label}>
      {items.map((item) => (
        <Card key={keyOf(item)} withBorder p="sm" role="listitem">
          <Stack gap={6}>
            {columns.map((column) => (
              <OfCard key={column.title} column={column} item={item} />
            ))}
          </Stack>
        </Card>
      ))}
    </Stack>
  )
}

function OfCard<T>({
  column: { title, of, isActions = false },
  item,
}: {
  readonly column: Column<T>
  readonly item: T
}): ReactNode {
  if (isActions)
    return (
      <Group gap="xs" mt={4}>
        {of(item)}
      </Group>
    )
  return (
    <Group gap="xs" align="start" wrap="nowrap">
      <Text size="sm" c="dimmed" w={90} style={{ flexShrink: 0 }}>
        {title}
      </Text>
      <Text component="div" size="sm" flex={1} miw={0} style={{ overflowWrap: 'anywhere' }}>
        {of(item)}
      </Text>
    </Group>
  )
}
