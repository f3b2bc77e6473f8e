import type { MemberInvites } from '@hither/contract/invitations.ts'
import Card from '@mui/material/Card'
import { useState } from 'react'
import { messageOf } from '../../api/api-error.ts'
import { t } from '../../i18n/translate.ts'
import { RadioChoice } from '../../moderation/RadioChoice.tsx'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { useSetRegistration } from '../admin.api.ts'

const numbers: readonly MemberInvites[] = [0, 3, 10, 50]

/** How many new accounts each member may create with friend links. Applies to the mode `invite` only. */
export function MemberInvitesCard({ stored }: { stored: MemberInvites }) {
  const setting = useSetRegistration()
  const { showError, showNotice } = useSnackbar()
  const [chosen, setChosen] = useState<MemberInvites | null>(null)

  function handleChange(value: string) {
    const memberInvites = Number(value) as MemberInvites
    setChosen(memberInvites)
    setting
      .mutateAsync({ mode: 'invite', member_invites: memberInvites })
      .then(() => showNotice(t('admin.registrationSaved')))
      .catch((error: unknown) => showError(messageOf(error, t('moderation.actionFailed'))))
      .finally(() => setChosen(null))
  }

  return (
    <Card sx={{ p: 2 }}>
      <RadioChoice
        label={t('admin.memberInvites')}
        options={numbers.map((value) => ({ value: String(value), label: t(`admin.memberInvitesOptions.${value}`) }))}
        value={String(chosen ?? stored)}
        onChange={handleChange}
      />
    </Card>
  )
}
