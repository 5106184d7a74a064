// Frames of a page while it is scrolled from its top to its end and back: how long the longest
// took, and how much of that was work.
import type { Page } from 'playwright-core'

export interface Frames {
  readonly count: number
  /** Longest time between two frames, milliseconds. */
  readonly longestMs: number
  /**
   * The longest task of the page's thread, in processor time: what others on the machine do is not
   * in it.
   */
  readonly workMs: number
}

/**
 * Slow at first, as one reads; then as fast as the list goes, to the end wherever that is, and back
 * to the top and the end again.
 */
const SCROLL = `new Promise((resolve) => {
  const deltas = []
  const began = performance.now()
  let last = began
  let down = true
  let turns = 0
  const step = (now) => {
    deltas.push(now - last)
    last = now
    const end = document.documentElement.scrollHeight - innerHeight
    const slow = now - began < 4_000
    scrollBy(0, (down ? 1 : -1) * (slow ? 40 : 900))
    if (down && scrollY >= end - 2) { if (!document.querySelector('[aria-label="Loading"]')) { down = false; turns += 1 } }
    else if (!down && scrollY <= 0) { down = true; turns += 1 }
    if (turns < 3) requestAnimationFrame(step)
    else resolve(deltas)
  }
  requestAnimationFrame((now) => { last = now; requestAnimationFrame(step) })
})`

interface TraceEvent {
  readonly name?: string
  /** Processor time, microseconds. */
  readonly tdur?: number
  /** Time by the clock, microseconds. */
  readonly dur?: number
  readonly tid?: number
  readonly pid?: number
  readonly args?: { readonly name?: string }
}

export async function framesOf(page: Page): Promise<Frames> {
  await page.evaluate('scrollTo(0, 0)')
  const devtools = await page.context().newCDPSession(page)
  const events: TraceEvent[] = []
  devtools.on('Tracing.dataCollected', ({ value }) => {
    events.push(...value)
  })
  const traceConfig = { includedCategories: ['toplevel', 'disabled-by-default-devtools.timeline'] }
  await devtools.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig })
  const deltas: unknown = await page.evaluate(SCROLL)
  const complete = new Promise((resolve) => {
    devtools.once('Tracing.tracingComplete', resolve)
  })
  await devtools.send('Tracing.end')
  await complete
  await devtools.detach()
  if (!Array.isArray(deltas)) throw new Error('no frames')
  const times = deltas.slice(1).map(Number)
  return {
    count: times.length,
    longestMs: times.reduce((most, one) => Math.max(most, one), 0),
    workMs: longestWork(events),
  }
}

/** Longest work of the threads that draw pages. */
function longestWork(events: readonly TraceEvent[]): number {
  const isDrawing = ({ name, args }: TraceEvent): boolean =>
    name === 'thread_name' && args?.name === 'CrRendererMain'
  const drawing = new Set(events.filter(isDrawing).map(threadOf))
  const tasks = events.filter((event) => event.name === 'RunTask' && drawing.has(threadOf(event)))
  // The processor's clock may tick but every few milliseconds: no task has more than its duration.
  return (
    tasks.reduce((most, { tdur = 0, dur = 0 }) => Math.max(most, Math.min(tdur, dur)), 0) / 1_000
  )
}

function threadOf({ pid, tid }: TraceEvent): string {
  return `${pid} ${tid}`
}
