// How the wallet looks: its own violet, soft cards without borders, and the system's own fonts, so
// that nothing is fetched. Colours have enough contrast in both schemes.
import { createTheme } from '@mantine/core'
import type { MantineColorsTuple } from '@mantine/core'

const brand: MantineColorsTuple = [
  '#f4f2ff',
  '#e7e2ff',
  '#cfc5ff',
  '#b3a3ff',
  '#9b86fb',
  '#8268f2',
  '#6a4be8',
  '#5936d6',
  '#4a2cb3',
  '#38218a',
]

/** Night rather than grey: a little of the violet is in every step. */
const dark: MantineColorsTuple = [
  '#eceaf3',
  '#c9c5d6',
  '#a6a1b7',
  '#726c85',
  '#3d374c',
  '#2d2839',
  '#1e1a29',
  '#13101b',
  '#0e0b14',
  '#08060d',
]

export const theme = createTheme({
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", Ubuntu, sans-serif',
  fontFamilyMonospace:
    'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  headings: { fontWeight: '650' },
  colors: { brand, dark },
  primaryColor: 'brand',
  primaryShade: { light: 7, dark: 6 },
  defaultRadius: 'lg',
  radius: { lg: '14px', xl: '22px' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // Links among words are told by more than their colour.
    Anchor: { defaultProps: { underline: 'always' } },
    Badge: { defaultProps: { tt: 'none', fw: 600 } },
    Modal: { defaultProps: { radius: 'xl', overlayProps: { backgroundOpacity: 0.4, blur: 3 } } },
  },
})
