import { type SatelliteLayer } from '@hither/contract/maps.ts'
// biome-ignore lint/style/useImportType: the other form would load the engine with whoever imports this file
import type { MapSourceDataEvent } from 'maplibre-gl'
import { useState } from 'react'
import { zooms } from './map-defaults.ts'
import { isSatelliteSource, shippedImagerySource } from './map-style.ts'
import { readSatelliteChoice, storeSatelliteChoice } from './satellite.ts'
import { mapStrings } from './strings.ts'

const none: readonly SatelliteLayer[] = []
const nothingLost = { online: false, shipped: false }

/**
 * The ground from above: whether it is wanted, what of it there is at this zoom, and what to say where there is none. The
 * picture that comes with the product stands in for that of a service, as far in as it is not a blur.
 */
export function useImagery(layers: readonly SatelliteLayer[], zoom: number) {
  const [isWanted, setIsWanted] = useState(readSatelliteChoice)
  const [lost, setLost] = useState(nothingLost)
  const hasOnline = isWanted && layers.length > 0 && !lost.online
  const hasShipped = isWanted && !hasOnline && !lost.shipped && zoom < zooms.shippedImagery

  function note(): string | null {
    if (!isWanted || hasOnline) return null
    if (!hasShipped) return mapStrings.satelliteOffline
    return zoom > zooms.sharpImagery ? mapStrings.satelliteCloser : null
  }

  return {
    isWanted,
    hasShipped,
    /** Also while nothing of it comes: it may come back. */
    satellite: isWanted ? layers : none,
    isSeen: hasOnline || hasShipped,
    note: note(),
    toggle() {
      setLost(nothingLost)
      setIsWanted(!isWanted)
      storeSatelliteChoice(!isWanted)
    },
    /** Answers whether the failure was one of imagery. */
    noteFailure(source: string): boolean {
      if (source === shippedImagerySource) setLost((lost) => ({ ...lost, shipped: true }))
      else if (isSatelliteSource(source)) setLost((lost) => ({ ...lost, online: true }))
      else return false
      return true
    },
    noteData({ sourceId, tile }: MapSourceDataEvent) {
      if (!lost.online || tile?.state !== 'loaded' || !isSatelliteSource(sourceId)) return
      setLost((lost) => ({ ...lost, online: false }))
    },
  }
}
