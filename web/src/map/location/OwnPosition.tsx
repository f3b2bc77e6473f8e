import { Marker } from '@vis.gl/react-maplibre'
import { type MouseEvent, useEffect, useState } from 'react'
import { t } from '../../i18n/translate.ts'
import type { Place } from '../map-defaults.ts'
import { hasSeenOwnPosition, noteOwnPositionSeen } from './own-position-hint.ts'

const hintMs = 6000

/** The position of the device. A tap shows that only the user sees it, and so does its first appearance. */
export function OwnPosition({ latitude, longitude }: Place) {
  const [isExplained, setIsExplained] = useState(() => !hasSeenOwnPosition())

  useEffect(() => {
    if (!isExplained) return
    noteOwnPositionSeen()
    const timer = setTimeout(() => setIsExplained(false), hintMs)
    return () => clearTimeout(timer)
  }, [isExplained])

  function handleClick(event: MouseEvent) {
    // Otherwise the map would handle a click on the place below.
    event.stopPropagation()
    setIsExplained(!isExplained)
  }

  return (
    <Marker latitude={latitude} longitude={longitude} anchor="center" className="own-place">
      <button type="button" className="own-position" aria-label={t('map.ownPosition')} onClick={handleClick} />
      <span role="status">{isExplained && <span className="own-hint">{t('map.ownPositionShort')}</span>}</span>
    </Marker>
  )
}
