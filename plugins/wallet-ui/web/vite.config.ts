// Builds the wallet into ../page. The component library is written for React; it runs on Preact,
// which is a tenth of the size.
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  root: here('.'),
  base: '/wallet/',
  logLevel: 'warn',
  resolve: {
    alias: [
      { find: /^react$/u, replacement: here('src/react.js') },
      { find: /^react-dom$/u, replacement: 'preact/compat' },
      { find: /^react-dom\/client$/u, replacement: 'preact/compat/client' },
      { find: /^react\/jsx-runtime$/u, replacement: 'preact/jsx-runtime' },
    ],
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'react' } },
  build: {
    outDir: here('../page'),
    emptyOutDir: true,
    target: 'es2023',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    sourcemap: false,
    // What is built in may be passed on with its notices.
    license: { fileName: 'licenses.md' },
    // Directives for another kind of framework mean nothing here.
    rollupOptions: {
      onwarn: (warning, warn) => {
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning)
      },
    },
  },
})
