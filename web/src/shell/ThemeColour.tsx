import { useColorScheme } from '@mui/material/styles'
import { useEffect } from 'react'
import { paperColours } from '../ui/theme/theme.ts'

/** The browser's toolbars follow the chosen colour scheme, not only the system's. */
export function ThemeColour() {
  const { colorScheme } = useColorScheme()
  useEffect(() => {
    if (colorScheme === undefined) return
    // The background of the page was set before the first paint. The theme sets it from now on.
    document.documentElement.style.removeProperty('background-color')
    document.documentElement.style.removeProperty('color-scheme')
    for (const meta of document.querySelectorAll('meta[name="theme-color"]')) {
      meta.setAttribute('content', paperColours[colorScheme])
    }
  }, [colorScheme])
  return null
}
