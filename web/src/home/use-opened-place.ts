import { pingLimits } from '@hither/contract/runtime/pings.ts'
import { useEffect, useEffectEvent } from 'react'
import { type NamedPlace, showPlace, useShownPlace } from '../map/places/shown-place.ts'
import type { useNewPin } from './use-new-pin.ts'

/** The place that another screen has opened on the map. `onShow` moves the map there. It is gone when Home is left. */
export function useOpenedPlace(
  isHomeShown: boolean,
  newPin: ReturnType<typeof useNewPin>,
  onShow: (place: NamedPlace) => void,
) {
  const place = useShownPlace()
  const handleShow = useEffectEvent(onShow)

  useEffect(() => {
    if (place !== null && isHomeShown) handleShow(place)
  }, [place, isHomeShown])

  useEffect(() => {
    if (isHomeShown) return () => showPlace(null)
  }, [isHomeShown])

  return {
    place: isHomeShown ? place : null,
    close: () => showPlace(null),
    dropPin({ name, ...at }: NamedPlace) {
      showPlace(null)
      const form = {
        name: Array.from(name ?? '')
          .slice(0, pingLimits.nameMax)
          .join(''),
      }
      void newPin.begin({ form, image: null, imageErrorText: null, replaces: null }, at)
    },
  }
}
