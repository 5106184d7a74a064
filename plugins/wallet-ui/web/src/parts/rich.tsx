// Sentences with links or amounts in them, whose places differ from language to language.
import { Fragment } from 'react'
import type { ReactNode } from 'react'
import { t } from '../lib/language.ts'

/**
 * The text of `t`, with elements for parts: `rich('See {0}.', <Link href="/">the overview</Link>)`.
 */
export function rich(text: string, ...parts: readonly ReactNode[]): ReactNode {
  return t(text)
    .split(/(\{\d\})/u)
    .map((piece, at) => (
      <Fragment key={at}>{/^\{\d\}$/u.test(piece) ? parts[Number(piece[1])] : piece}</Fragment>
    ))
}
