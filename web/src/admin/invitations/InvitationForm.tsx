import type { MadeInvitation } from '@hither/contract/invitations.ts'
import { moderationLimits } from '@hither/contract/runtime/moderation.ts'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Stack from '@mui/material/Stack'
import { useForm } from 'react-hook-form'
import { messageOf } from '../../api/api-error.ts'
import { t } from '../../i18n/translate.ts'
import { ErrorAlert } from '../../ui/ErrorAlert.tsx'
import { FormField } from '../../ui/FormField.tsx'
import { LoadingButton } from '../../ui/LoadingButton.tsx'
import { useCreateInvitation } from '../admin.api.ts'

interface Props {
  titleId: string
  onCreated: (invitation: MadeInvitation) => void
  onClose: () => void
}

const { invitationDaysDefault, invitationDaysMax, invitationNoteMax, invitationUsesMax } = moderationLimits
const wholeNumber = { inputMode: 'numeric' } as const

export function InvitationForm({ titleId, onCreated, onClose }: Props) {
  const creation = useCreateInvitation()
  const { register, handleSubmit, setError, formState } = useForm({
    defaultValues: { note: '', uses: '1', days: String(invitationDaysDefault) },
  })
  const { errors } = formState

  const submit = handleSubmit(async ({ note, uses, days }) => {
    if (creation.isPending) return
    try {
      onCreated(await creation.mutateAsync({ note: note.trim(), uses: Number(uses), days: Number(days) }))
    } catch (error) {
      setError('root', { message: messageOf(error, t('moderation.actionFailed')) })
    }
  })

  return (
    <Box component="form" noValidate onSubmit={submit} sx={{ display: 'contents' }}>
      <DialogTitle id={titleId}>{t('admin.newInvitation')}</DialogTitle>
      <DialogContent>
        <Stack spacing={2.5} sx={{ pt: 1 }}>
          <FormField
            label={t('admin.note')}
            slotProps={{ htmlInput: { maxLength: invitationNoteMax } }}
            registration={register('note')}
            error={errors.note?.message}
          />
          <FormField
            label={t('admin.uses')}
            slotProps={{ htmlInput: wholeNumber }}
            registration={register('uses', { validate: numberUpTo(invitationUsesMax) })}
            error={errors.uses?.message}
          />
          <FormField
            label={t('admin.days')}
            slotProps={{ htmlInput: wholeNumber }}
            registration={register('days', { validate: numberUpTo(invitationDaysMax) })}
            error={errors.days?.message}
          />
          {errors.root?.message && <ErrorAlert message={errors.root.message} />}
        </Stack>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{t('ui.cancel')}</Button>
        <LoadingButton type="submit" variant="contained" isWorking={creation.isPending}>
          {t('admin.make')}
        </LoadingButton>
      </DialogActions>
    </Box>
  )
}

function numberUpTo(most: number) {
  return (text: string) =>
    (/^\d+$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= most) ||
    t('admin.numberFrom', { least: 1, most })
}
