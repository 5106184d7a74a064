// What commands can name: templates that have code here, and the interfaces that these implement.
// docs/ledger-rules.md, "Commands"
import { allTemplates } from '../../../contracts/index.ts'
import type { Engine } from '../../../engine/index.ts'
import type { Implementations } from './command-reader.ts'

/** The templates of an engine that runs the network's contracts. */
export function implementationsOf(engine: Engine): Implementations {
  const interfaces = [...new Set(allTemplates.flatMap((template) => template.interfaces))]
  return { template: (id) => engine.template(id), interfaces }
}
