// Operations of one interface mostly declare the same errors. Printed lists of them stand once, and
// operations refer to them.
import type { OperationIr, ResponseIr } from '../ir.ts'

/** How the entries of one operation's list of answers are printed, and a list that it shares. */
interface AnswerPrinter {
  /** Begins the names of shared lists; a number follows. */
  readonly prefix: string
  entries(operation: OperationIr, response: ResponseIr): readonly string[]
  /** The entry that stands for a shared list. */
  refer(name: string): string
}

interface PrintedAnswers {
  /** Entries by operation id, those of errors last. */
  readonly entries: ReadonlyMap<string, readonly string[]>
  /** The entries of shared lists, by name. */
  readonly shared: ReadonlyMap<string, readonly string[]>
}

/**
 * Prints the answers of all operations. A list of several errors that occurs more than once is
 * shared.
 */
export function printAnswers(
  operations: readonly OperationIr[],
  printer: AnswerPrinter,
): PrintedAnswers {
  const printed = operations.map((operation) => {
    const entries = (isMeant: (response: ResponseIr) => boolean): readonly string[] =>
      operation.responses
        .filter(isMeant)
        .flatMap((response) => printer.entries(operation, response))
    const own = entries((response) => !isError(response))
    const errors = entries(isError)
    return { operation, own, errors, key: errors.join('\n') }
  })
  const names = sharedNames(
    printed.filter(({ errors }) => errors.length > 1).map(({ key }) => key),
    printer.prefix,
  )
  const shared = new Map<string, readonly string[]>()
  const entries = printed.map(({ operation, own, errors, key }): [string, readonly string[]] => {
    const name = names.get(key)
    if (name === undefined) return [operation.operationId, [...own, ...errors]]
    shared.set(name, errors)
    return [operation.operationId, [...own, printer.refer(name)]]
  })
  return { entries: new Map(entries), shared }
}

/** Names for the texts that occur more than once, in the order in which they come. */
export function sharedNames(texts: readonly string[], prefix: string): ReadonlyMap<string, string> {
  const shared = [...new Set(texts.filter((text, index) => texts.indexOf(text) < index))]
  return new Map(shared.map((text, index) => [text, `${prefix}${index + 1}`]))
}

function isError({ status }: ResponseIr): boolean {
  return status === 'default' || /^[45]/u.test(status)
}
