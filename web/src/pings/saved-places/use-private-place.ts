import { useEffect } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { Place } from '../../map/map-defaults.ts'
import { emptyPingForm, type PingForm } from '../create/create-ping.rules.ts'
import type { PingDraft } from '../create/ping-draft.ts'
import { withExactPlaceFor } from '../create/place-privacy.rules.ts'
import { privatePlaceNear } from './saved-places.rules.ts'
import { type SavedPlace, useSavedPlaces } from './saved-places.ts'

/**
 * Returns the private place near the place of a new pin. Near one, the exact place is for people who are going, unless the user
 * or the draft has chosen something else.
 */
export function usePrivatePlace(
  form: UseFormReturn<PingForm>,
  place: Place | null,
  draft: PingDraft | null,
): SavedPlace | null {
  const near = privatePlaceNear(useSavedPlaces(), place)
  const isNear = near !== null

  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of the place or the draft preselects
  useEffect(() => {
    if (draft?.form.exactPlaceFor !== undefined || form.getFieldState('exactPlaceFor').isTouched) return
    const { exactPlaceFor } = form.getValues()
    if (isNear) change(withExactPlaceFor(form.getValues(), 'going'))
    else if (exactPlaceFor === 'going') {
      const { exactPlaceFor, guestPolicy } = emptyPingForm
      change({ exactPlaceFor, guestPolicy })
    }
  }, [isNear, draft])

  function change({ exactPlaceFor, guestPolicy }: Pick<PingForm, 'exactPlaceFor' | 'guestPolicy'>) {
    form.setValue('exactPlaceFor', exactPlaceFor)
    if (!form.getFieldState('guestPolicy').isTouched) form.setValue('guestPolicy', guestPolicy)
  }

  return near
}
