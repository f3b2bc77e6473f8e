import type { User } from '@hither/contract/users.ts'
import { useEffect, useRef, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { messageOf } from '../../api/api-error.ts'
import { t } from '../../i18n/translate.ts'
import type { Place } from '../../map/map-defaults.ts'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { discardWaiting } from '../outbox/ping-outbox.ts'
import { storeRefusedPing } from '../outbox/store-refused-ping.ts'
import type { ChosenImage } from '../pictures/use-chosen-image.ts'
import type { ChosenPlace } from './chosen-place.ts'
import { emptyPingForm, newPingOf, type PingForm } from './create-ping.rules.ts'
import type { PingDraft } from './ping-draft.ts'
import { useDraft } from './use-draft.ts'
import { useNewPing } from './use-new-ping.ts'

interface Options {
  open: boolean
  owner: User
  place: ChosenPlace
  draft: PingDraft | null
  form: UseFormReturn<PingForm>
  image: ChosenImage
  onOpen: () => void
  onClose: () => void
}

interface Sent {
  values: PingForm
  place: Place
  /** See `newPingOf`. */
  address: string | null | undefined
  wantsChat: boolean
}

/**
 * Sends the form of a new ping and closes the dialog. If the server refuses the ping, the dialog opens again with everything
 * that was entered, unless the user has started another ping: then the refused one is listed in My Pins.
 */
export function useSubmission({ open, owner, place, draft, form, image, onOpen, onClose }: Options) {
  const creation = useNewPing(owner)
  const replaces = useDraft(draft, form, image)
  const { showError } = useSnackbar()
  const isFree = useIsFree(open)
  const submissions = useRef(0)
  const [sentPlace, setSentPlace] = useState(place)
  // Why the ping in the form was refused.
  const [error, setError] = useState<unknown>(null)
  // A refused ping keeps its own location, unless the user has chosen another one.
  const shownPlace = place.from === 'nowhere' && error !== null ? sentPlace : place

  function empty() {
    replaces.current = null
    form.reset(emptyPingForm)
    image.clear()
  }

  async function submit({ values, place, address, wantsChat }: Sent) {
    const number = ++submissions.current
    setSentPlace(shownPlace)
    setError(null)
    // The pin is on the map before the server responds, so the dialog closes at once.
    onClose()
    const replaced = replaces.current
    const input = newPingOf(values, place, address)
    const extras = { image: image.file, wantsChat }
    empty()
    try {
      await creation.create(input, extras)
      if (replaced !== null) void discardWaiting(owner.id, replaced)
    } catch (error) {
      // The next ping may already have been sent too.
      if (isFree.current && number === submissions.current) {
        setError(error)
        form.reset(values)
        if (extras.image !== null) image.choose(extras.image)
        replaces.current = replaced
        onOpen()
        return
      }
      const reason = messageOf(error, t('pings.createFailed'))
      if (replaced === null) void storeRefusedPing(owner.id, input, extras, reason)
      showError(reason)
    }
  }

  function cancel() {
    onClose()
    setError(null)
    empty()
  }

  return { shownPlace, submit, cancel, isPending: creation.isPending, error }
}

/**
 * Returns a function that decides whether a refused ping may open the dialog: not while another ping is being written, or
 * after the screen was left.
 */
function useIsFree(open: boolean) {
  const isFree = useRef(false)
  useEffect(() => {
    isFree.current = !open
    return () => {
      isFree.current = false
    }
  }, [open])
  return isFree
}
