// The functions of the language that call functions of the program.
import { CALLING } from '../builtins/index.ts'
import type { CallingFunction } from '../builtins/index.ts'
import { any, list } from '../builtins/arguments.ts'
import { elementsOf } from '../values/value.ts'
import { CallingValue } from './code.ts'
import type { Any, List, Value } from '../values/value.ts'
import type { Continuation, Frame, Machine, Next } from './code.ts'

/** The functions by name; `messageOf` answers the message of an exception. */
export function callingFunctions(
  messageOf: (exception: Any, machine: Machine) => Next,
): Readonly<Record<CallingFunction, CallingValue>> {
  return {
    FOLDL: new CallingValue(
      CALLING.FOLDL,
      (machine, [of, first, elements]) =>
        new FoldLeft(of, list(elements)).resume(first, [], machine),
      foldLeft,
    ),
    FOLDR: new CallingValue(
      CALLING.FOLDR,
      (machine, [of, last, elements]) =>
        new FoldRight(of, counted(machine, elements)).resume(last, [], machine),
      (machine, [of, last, elements]) =>
        counted(machine, elements).reduceRight((value, element) => {
          machine.meter.work(1)
          return machine.call(of, [element, value])
        }, last),
    ),
    EQUAL_LIST: new CallingValue(CALLING.EQUAL_LIST, (machine, [of, first, second]) =>
      new EqualList(of, list(first), list(second)).resume(true, [], machine),
    ),
    ANY_EXCEPTION_MESSAGE: new CallingValue(CALLING.ANY_EXCEPTION_MESSAGE, (machine, [exception]) =>
      messageOf(any(exception), machine),
    ),
  }
}

function foldLeft(machine: Machine, [of, first, elements]: readonly Value[]): Value {
  let value = first
  for (let rest = list(elements); rest !== null; rest = rest.tail) {
    machine.meter.work(1)
    value = machine.call(of, [value, rest.head])
  }
  return value
}

class FoldLeft implements Continuation {
  readonly #function: Value
  #rest: List

  constructor(of: Value, rest: List) {
    this.#function = of
    this.#rest = rest
  }

  resume(value: Value, _: Frame, machine: Machine): Next {
    if (this.#rest === null) return value
    const { head, tail } = this.#rest
    this.#rest = tail
    machine.meter.work(1)
    machine.push(this)
    return machine.apply(this.#function, [value, head])
  }
}

/** Elements of a list, counted as work. */
function counted({ meter }: Machine, given: Value): Value[] {
  const elements = elementsOf(list(given))
  meter.work(elements.length)
  meter.allocate(elements.length)
  return elements
}

class FoldRight implements Continuation {
  readonly #function: Value
  readonly #elements: Value[]

  constructor(of: Value, elements: Value[]) {
    this.#function = of
    this.#elements = elements
  }

  resume(value: Value, _: Frame, machine: Machine): Next {
    if (this.#elements.length === 0) return value
    const element = this.#elements.pop()
    machine.meter.work(1)
    machine.push(this)
    return machine.apply(this.#function, [element, value])
  }
}

class EqualList implements Continuation {
  readonly #function: Value
  #first: List
  #second: List

  constructor(of: Value, first: List, second: List) {
    this.#function = of
    this.#first = first
    this.#second = second
  }

  resume(value: Value, _: Frame, machine: Machine): Next {
    const [a, b] = [this.#first, this.#second]
    if (value !== true) return false
    if (a === null || b === null) return a === b
    this.#first = a.tail
    this.#second = b.tail
    machine.meter.work(1)
    machine.push(this)
    return machine.apply(this.#function, [a.head, b.head])
  }
}
