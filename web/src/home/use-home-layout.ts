import { useTheme } from '@mui/material/styles'
import useMediaQuery from '@mui/material/useMediaQuery'
import { useState } from 'react'
import { foldsTools } from '../map/engine/MapTool.tsx'
import { useHeight } from '../ui/use-height.ts'
import { buttonPositions } from './button-positions.ts'
import { heightOf, peekOf, type Stop } from './sheet-stops.ts'

/** The sizes of Home in pixels: how much of the map the sheet covers, and where the buttons lie. */
export function useHomeLayout(suggestionsPx: number) {
  const isWide = useMediaQuery(useTheme().breakpoints.up('md'), { noSsr: true })
  const isLow = useMediaQuery('(max-height: 499.95px)', { noSsr: true })
  const areToolsFolded = useMediaQuery(foldsTools, { noSsr: true })
  const [stop, setStop] = useState<Stop>('peek')
  const [mapRef, mapHeightPx] = useHeight<HTMLDivElement>()

  const peekPx = peekOf(mapHeightPx, isLow, suggestionsPx)
  const sheetPx = isWide ? 0 : heightOf(stop, mapHeightPx, peekPx)
  // A full sheet covers the buttons, which stay at the height of a half one.
  const coveredPx = isWide ? 0 : Math.min(sheetPx, heightOf('half', mapHeightPx, peekPx))
  return {
    isWide,
    isLow,
    isPeeking: !isWide && stop === 'peek',
    stop,
    setStop,
    mapRef,
    mapHeightPx,
    peekPx,
    sheetPx,
    buttons: buttonPositions(coveredPx, mapHeightPx, areToolsFolded),
  }
}
