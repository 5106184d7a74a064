// How the wallet looks: the system's own fonts, so that nothing is fetched, and colours of enough
// contrast in both schemes.
import { createTheme } from '@mantine/core'

export const theme = createTheme({
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", Ubuntu, sans-serif',
  fontFamilyMonospace:
    'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  primaryColor: 'blue',
  primaryShade: 8,
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  // Links among words are told by more than their colour.
  components: { Anchor: { defaultProps: { underline: 'always' } } },
})
