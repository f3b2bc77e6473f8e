import type { SatelliteLayer } from '@hither/contract/maps.ts'
import type { MapSourceDataEvent } from 'maplibre-gl'
import { useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { zooms } from '../map-defaults.ts'
import { isSatelliteSource, shippedImagerySource } from '../style/map-style.ts'
import { readSatelliteChoice, storeSatelliteChoice } from './satellite.ts'

const none: readonly SatelliteLayer[] = []
const nothingLost = { online: false, shipped: false }

/**
 * The satellite imagery: whether it is chosen, its layers at this zoom, and a note if there is none. The included
 * imagery replaces that of a service, up to the zoom at which it is blurred.
 */
export function useImagery(layers: readonly SatelliteLayer[], zoom: number) {
  const [isWanted, setIsWanted] = useState(readSatelliteChoice)
  const [lost, setLost] = useState(nothingLost)
  const hasOnline = isWanted && layers.length > 0 && !lost.online
  const hasShipped = isWanted && !hasOnline && !lost.shipped && zoom < zooms.shippedImagery

  function note(): string | null {
    if (!isWanted || hasOnline) return null
    if (!hasShipped) return t('map.satelliteOffline')
    return zoom > zooms.sharpImagery ? t('map.satelliteCloser') : null
  }

  return {
    isWanted,
    hasShipped,
    /** Also while it fails, because it may load later. */
    satellite: isWanted ? layers : none,
    isSeen: hasOnline || hasShipped,
    note: note(),
    toggle() {
      setLost(nothingLost)
      setIsWanted(!isWanted)
      storeSatelliteChoice(!isWanted)
    },
    /** Returns true if the failure was one of imagery. */
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
