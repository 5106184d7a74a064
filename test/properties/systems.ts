// The systems that the property tests know by name.
import type { SystemFactory } from './system.ts'
import { openTwin } from './twin.ts'

/** By the name that `--store` takes. */
export const SYSTEMS: ReadonlyMap<string, SystemFactory> = new Map([['twin', (options) => openTwin(options)]])
