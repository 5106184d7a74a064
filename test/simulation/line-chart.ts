// Line charts as SVG text. Charting libraries want a browser's document or bring a hundred times
// what five charts of lines need.

export interface Line {
  readonly name: string
  /** x rises. */
  readonly points: readonly (readonly [x: number, y: number])[]
}

export interface Chart {
  readonly title: string
  /** Names of both axes, for people. */
  readonly xName: string
  readonly yName: string
  readonly lines: readonly Line[]
  /** Orders of magnitude instead of amounts; all values must be above zero. */
  readonly isLogarithmic?: boolean
  /** A level that means something, with its name. */
  readonly level?: readonly [name: string, y: number]
}

const [WIDTH, HEIGHT] = [760, 320]
const [LEFT, RIGHT, TOP, BOTTOM] = [76, 118, 40, 46]
/** Told apart by people who see few colours, too. */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7']
const MOST_POINTS = 700

interface Axis {
  readonly ticks: readonly number[]
  place(value: number): number
}

/** The picture, as the text of an SVG file. */
export function lineChart({
  title,
  xName,
  yName,
  lines,
  isLogarithmic = false,
  level,
}: Chart): string {
  const all = lines.flatMap(({ points }) => points)
  const levels = level === undefined ? [] : [level[1]]
  const x = linear(
    [Math.min(...all.map(([at]) => at)), Math.max(...all.map(([at]) => at))],
    [LEFT, WIDTH - RIGHT],
  )
  const values = [...all.map(([, value]) => value), ...levels]
  const y = isLogarithmic
    ? logarithmic(values)
    : linear([Math.min(0, ...values), Math.max(...values)], [HEIGHT - BOTTOM, TOP])
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12" fill="#333">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    text(LEFT, 20, title, 'font-size="15" font-weight="bold"'),
    ...y.ticks.map(
      (tick) =>
        grid(y.place(tick)) + text(LEFT - 8, y.place(tick) + 4, short(tick), 'text-anchor="end"'),
    ),
    ...x.ticks.map((tick) =>
      text(x.place(tick), HEIGHT - BOTTOM + 18, short(tick), 'text-anchor="middle"'),
    ),
    text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, xName, 'text-anchor="middle"'),
    text(LEFT, TOP - 6, yName, 'fill="#777"'),
    ...(level === undefined ? [] : [levelLine(y.place(level[1]))]),
    ...lines.map(({ points }, index) => curve(points, x, y, colourOf(index))),
    ...labels(lines, level, y),
    '</svg>',
    '',
  ].join('\n')
}

function linear(
  [low, high]: readonly [number, number],
  [from, to]: readonly [number, number],
): Axis {
  const step = niceStep((high - low || 1) / 5)
  const [first, last] = [Math.floor(low / step), Math.ceil(high / step)]
  const place = (value: number): number =>
    from + ((value - first * step) / ((last - first || 1) * step)) * (to - from)
  return {
    place,
    ticks: Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step),
  }
}

function logarithmic(values: readonly number[]): Axis {
  const above = values.filter((value) => value > 0)
  const [low, high] = [
    Math.floor(Math.log10(Math.min(...above))),
    Math.ceil(Math.log10(Math.max(...above))),
  ]
  const scale = (TOP - (HEIGHT - BOTTOM)) / (high - low || 1)
  const place = (value: number): number =>
    HEIGHT - BOTTOM + (Math.log10(Math.max(value, 10 ** low)) - low) * scale
  return { place, ticks: Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index)) }
}

/** 1, 2 or 5 times a power of ten. */
function niceStep(wanted: number): number {
  const power = 10 ** Math.floor(Math.log10(wanted))
  return power * ([1, 2, 5].find((factor) => factor * power >= wanted) ?? 10)
}

function curve(points: Line['points'], x: Axis, y: Axis, colour: string): string {
  const every = Math.ceil(points.length / MOST_POINTS)
  const places = points
    .filter((_, index) => index % every === 0)
    .map(([at, value]) => `${x.place(at).toFixed(1)},${y.place(value).toFixed(1)}`)
  return `<polyline fill="none" stroke="${colour}" stroke-width="1.5" points="${places.join(' ')}"/>`
}

/** Labels beside the ends of their lines, with room between them. */
function labels(lines: readonly Line[], level: Chart['level'], y: Axis): readonly string[] {
  const ends = lines.map(({ name, points }, index) => ({
    name,
    colour: colourOf(index),
    at: y.place(points.at(-1)?.[1] ?? 0),
  }))
  if (level !== undefined) ends.push({ name: level[0], colour: '#777', at: y.place(level[1]) })
  let free = TOP
  return ends
    .toSorted((a, b) => a.at - b.at)
    .map(({ name, colour, at }) => {
      const place = Math.max(at + 4, free)
      free = place + 15
      return text(WIDTH - RIGHT + 8, place, name, `fill="${colour}"`)
    })
}

function levelLine(at: number): string {
  return `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${at}" y2="${at}" stroke="#999" stroke-dasharray="5 4"/>`
}

function grid(at: number): string {
  return `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${at.toFixed(1)}" y2="${at.toFixed(1)}" stroke="#e5e5e5"/>`
}

function text(x: number, y: number, content: string, attributes: string): string {
  const escaped = content.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${attributes}>${escaped}</text>`
}

function colourOf(index: number): string {
  return COLOURS[index % COLOURS.length] ?? '#000'
}

function short(value: number): string {
  return new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 }).format(
    value,
  )
}
