// What __title__ does. Write a handler here, and it answers in place of an example.
import type { Handlers } from '../../generated/__interface__/handlers.gen.ts'
import type { Context } from '../context.ts'

/**
 * By operation id: from decoded, checked input to one of the replies that the document declares.
 */
export const handlers: Partial<Handlers<Context>> = {}
