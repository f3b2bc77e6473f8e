import type { Circle } from '@hither/contract/circles.ts'
import Button from '@mui/material/Button'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../api/api-error.ts'
import { t } from '../i18n/translate.ts'
import { useLiveStatus } from '../realtime/live-status.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { useSnackbar } from '../ui/use-snackbar.ts'
import { CircleFields } from './CircleFields.tsx'
import { readLatest, useChangeCircle, useDeleteCircle } from './circles.mutations.ts'
import { type CircleForm, changesOf, formOf } from './circles.rules.ts'

/** If another device has saved the circle first, the form takes over what that device changed, and what was typed stays. */
export function EditCircle({ circle, onClose }: { circle: Circle; onClose: () => void }) {
  const queryClient = useQueryClient()
  const [before, setBefore] = useState(circle)
  const saving = useChangeCircle(circle.id)
  const deletion = useDeleteCircle()
  const isOffline = useLiveStatus() === 'offline'
  const { showError, showNotice } = useSnackbar()
  const [isAsking, setIsAsking] = useState(false)

  async function handleSubmit(form: CircleForm) {
    const changes = changesOf(form, before)
    if (Object.keys(changes).length === 0) return onClose()
    try {
      await saving.mutateAsync({ ...changes, expected_updated_at: before.updated_at })
    } catch (error) {
      if (messageOf(error, '') === t('errors.circle_edit_conflict')) {
        const latest = await readLatest(queryClient, circle.id).catch(() => undefined)
        if (latest) setBefore(latest)
      }
      throw error
    }
    showNotice(t('circles.saved'))
    onClose()
  }

  function handleDelete() {
    setIsAsking(false)
    onClose()
    deletion
      .mutateAsync(circle.id)
      .then(() => showNotice(t('circles.deleted')))
      .catch((error: unknown) => showError(messageOf(error, t('circles.deleteFailed'))))
  }

  return (
    <>
      <CircleFields
        before={before}
        initial={formOf(circle)}
        submitLabel={t('circles.save')}
        isPending={saving.isPending}
        error={saving.error}
        onSubmit={handleSubmit}
        onClose={onClose}
      >
        <Button
          color="error"
          disabled={isOffline}
          onClick={() => setIsAsking(true)}
          sx={{ justifySelf: 'start', marginInlineStart: -1 }}
        >
          {t('circles.delete')}
        </Button>
      </CircleFields>
      <ConfirmDialog
        open={isAsking}
        title={t('circles.deleteTitle')}
        text={t('circles.deleteText')}
        confirmLabel={t('circles.deleteConfirm')}
        onConfirm={handleDelete}
        onClose={() => setIsAsking(false)}
      />
    </>
  )
}
