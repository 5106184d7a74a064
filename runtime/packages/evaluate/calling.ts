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
    FOLDL: new CallingValue(CALLING.FOLDL, (machine, [of, first, elements]) =>
      new FoldLeft(of, list(elements)).resume(first, [], machine),
    ),
    FOLDR: new CallingValue(CALLING.FOLDR, foldRight),
    EQUAL_LIST: new CallingValue(CALLING.EQUAL_LIST, (machine, [of, first, second]) =>
      new EqualList(of, list(first), list(second)).resume(true, [], machine),
    ),
    ANY_EXCEPTION_MESSAGE: new CallingValue(CALLING.ANY_EXCEPTION_MESSAGE, (machine, [exception]) =>
      messageOf(any(exception), machine),
    ),
  }
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

function foldRight(machine: Machine, [of, last, given]: readonly Value[]): Next {
  const elements = elementsOf(list(given))
  machine.meter.work(elements.length)
  machine.meter.allocate(elements.length)
  return new FoldRight(of, elements).resume(last, [], machine)
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
