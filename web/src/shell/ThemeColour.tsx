import { useColorScheme } from '@mui/material/styles'
import { useEffect } from 'react'
import { paperColours } from '../theme.ts'

/** The browser's own bars follow the chosen scheme, not only the system's. */
export function ThemeColour() {
  const { colorScheme } = useColorScheme()
  useEffect(() => {
    if (colorScheme === undefined) return
    // The page's own background was set before the first paint; from here on the theme's counts.
    document.documentElement.style.removeProperty('background-color')
    document.documentElement.style.removeProperty('color-scheme')
    for (const meta of document.querySelectorAll('meta[name="theme-color"]')) {
      meta.setAttribute('content', paperColours[colorScheme])
    }
  }, [colorScheme])
  return null
}
