import createCache from '@emotion/cache'
import { CacheProvider } from '@emotion/react'
import rtlPlugin from '@mui/stylis-plugin-rtl'
import type { ReactNode } from 'react'
import { prefixer } from 'stylis'

const cache = createCache({ key: 'rtl', stylisPlugins: [prefixer, rtlPlugin] })

/** Mirrors the styles of everything below it. Loaded only in a language that is written from right to left. */
export function RightToLeft({ children }: { children: ReactNode }) {
  return <CacheProvider value={cache}>{children}</CacheProvider>
}
