// Starts the wallet: configuration, session, theme.
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'

const root = document.getElementById('root')
if (root !== null) createRoot(root).render(<App />)
