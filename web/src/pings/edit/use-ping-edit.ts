import type { OwnPing } from '@hither/contract/pings.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { ApiError, isRefusal } from '../../api/api-error.ts'
import { serverNow, useServerNow } from '../../api/server-time.ts'
import { t } from '../../i18n/translate.ts'
import { useAddress } from '../../map/places/use-address.ts'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { type PingForm, type PingFormErrors, serverFieldErrors } from '../create/create-ping.rules.ts'
import { statusAt } from '../pings.rules.ts'
import { readLatest, useEditPing } from './edit-ping.mutations.ts'
import {
  changesOf,
  conflictErrors,
  type EditPurpose,
  editAfterConflict,
  editErrors,
  editOf,
  editSentence,
  type PingEdit,
} from './edit-ping.rules.ts'

/** The content of the dialog and what saves it. If another device has saved first, what was typed stays. */
export function usePingEdit(ping: OwnPing, onClose: () => void) {
  const queryClient = useQueryClient()
  const { showNotice } = useSnackbar()
  const saving = useEditPing(ping.id)
  // What the user knows of the saved ping. A later change by another device must not be overwritten without a review.
  const [opened, setOpened] = useState(ping)
  const [purpose, setPurpose] = useState<EditPurpose>(() => purposeOf(ping))
  const [place, setPlace] = useState(() => editOf(ping).place)
  const [conflicts, setConflicts] = useState<PingFormErrors>({})
  const form = useForm<PingForm>({ defaultValues: editOf(ping).form })
  const values = { ...editOf(opened).form, ...useWatch({ control: form.control }) } as PingForm
  const address = useAddress(place, opened)
  const nowMs = useServerNow(15_000)

  const edit: PingEdit = { form: values, place, address: address.text }
  const changes = changesOf(edit, opened, purpose)
  const fieldErrors = editErrors(edit, opened, purpose, nowMs)
  const refused = saving.error instanceof ApiError ? serverFieldErrors(saving.error.fieldErrors) : {}

  async function save() {
    if (saving.isPending || hasErrors(editErrors(edit, opened, purpose, serverNow()))) return
    if (Object.keys(changes).length === 0) return onClose()
    try {
      await saving.mutateAsync({ ...changes, expected_updated_at: opened.updated_at })
      showNotice(t('pings.edit.saved'))
      onClose()
    } catch (error) {
      if (!(error instanceof ApiError)) return
      if (isRefusal(error, 'ping_edit_conflict')) await review()
      if (isRefusal(error, 'ping_started')) setPurpose('edit-active')
    }
  }

  async function review() {
    const latest = await readLatest(queryClient, ping.id).catch(() => null)
    if (latest?.access !== 'owner') return
    const after = editAfterConflict(edit, opened, latest)
    setConflicts(conflictErrors(edit, opened, latest, serverNow()))
    form.reset(after.form)
    setPlace(after.place)
    setPurpose(purposeOf(latest))
    setOpened(latest)
  }

  return {
    form,
    values,
    place,
    setPlace,
    address,
    purpose,
    nowMs,
    fieldErrors,
    /** The fields that the server refused or that another device has changed. */
    marked: { ...refused, ...conflicts },
    conflicts,
    error: saving.error,
    isPending: saving.isPending,
    isInvalid: hasErrors(fieldErrors),
    sentence: editSentence(changes, ping),
    save,
  }
}

function purposeOf(ping: OwnPing): EditPurpose {
  return statusAt(ping, serverNow()) === 'pending' ? 'edit-scheduled' : 'edit-active'
}

function hasErrors(errors: PingFormErrors): boolean {
  return Object.keys(errors).length > 0
}
