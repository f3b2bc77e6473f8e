import type { Circle } from '@hither/contract/circles.ts'
import type { CircleId, UserId } from '@hither/contract/ids.ts'
import type { OwnPing } from '@hither/contract/pings.ts'
import { shownName } from '@hither/contract/runtime/users.ts'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import FormHelperText from '@mui/material/FormHelperText'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { CircleChips } from '../../circles/CircleChips.tsx'
import { circlesQuery } from '../../circles/circles.api.ts'
import { peopleOf, toggled } from '../../circles/circles.rules.ts'
import { FriendPicker } from '../../friends/FriendPicker.tsx'
import { friendsQuery } from '../../friends/friends.api.ts'
import { t } from '../../i18n/translate.ts'
import { ErrorAlert } from '../../ui/ErrorAlert.tsx'
import { LoadingButton } from '../../ui/LoadingButton.tsx'
import { Dialog } from '../../ui/overlays/Dialog.tsx'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { writeErrorText } from '../view/write-error-text.ts'
import { useInvitePeople } from './edit-ping.mutations.ts'
import { OfflineNote } from './OfflineNote.tsx'
import { useIsOffline } from './use-is-offline.ts'

interface Props {
  open: boolean
  ping: OwnPing
  onClose: () => void
}

/** Chooses friends who are not invited yet. */
export function InviteMoreDialog({ open, ping, onClose }: Props) {
  const id = useId()
  return (
    <Dialog open={open} onClose={onClose} maxWidth="xs" fullWidth aria-labelledby={id}>
      <DialogTitle id={id}>{t('pings.invite.more')}</DialogTitle>
      {/* Unmounted with the dialog, so that each opening starts empty. */}
      <InviteForm ping={ping} onClose={onClose} />
    </Dialog>
  )
}

function InviteForm({ ping, onClose }: Omit<Props, 'open'>) {
  const queryClient = useQueryClient()
  const invitation = useInvitePeople(ping.id)
  const isOffline = useIsOffline()
  const { showNotice } = useSnackbar()
  const [chosen, setChosen] = useState<readonly UserId[]>([])
  const [isChecked, setIsChecked] = useState(false)
  const [chosenCircles, setChosenCircles] = useState<readonly CircleId[]>([])
  const invited = ping.recipients.map(({ recipient_id }) => recipient_id)
  const circles = withoutInvited(useQuery(circlesQuery()).data ?? [], invited)
  const circleIds = circles.flatMap(({ id }) => (chosenCircles.includes(id) ? [id] : []))
  const people = [...peopleOf(circles, circleIds, chosen)]
  const isEmpty = people.length === 0

  async function handleSubmit(event: FormEvent) {
    event.preventDefault()
    setIsChecked(true)
    if (isEmpty || isOffline || invitation.isPending) return
    const text = invitedText(queryClient.getQueryData(friendsQuery().queryKey) ?? [], people)
    try {
      await invitation.mutateAsync({
        recipient_ids: [...chosen],
        ...(circleIds.length > 0 && { circle_ids: circleIds }),
      })
      showNotice(text)
      onClose()
    } catch {
      // The dialog shows the error of the mutation.
    }
  }

  return (
    <Box component="form" noValidate onSubmit={handleSubmit} sx={{ display: 'contents' }}>
      <DialogContent sx={{ display: 'grid', gap: 1.5, alignContent: 'start' }}>
        {invitation.error !== null && (
          <ErrorAlert message={writeErrorText(invitation.error, t('pings.inviteFailed'))} />
        )}
        {circles.length > 0 && (
          <Box
            role="group"
            aria-label={t('pings.invite.circles')}
            sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, pt: 0.75 }}
          >
            <CircleChips
              circles={circles}
              chosen={circleIds}
              onToggle={({ id }) => setChosenCircles(toggled(circleIds, id))}
            />
          </Box>
        )}
        <FriendPicker
          chosen={chosen}
          without={invited}
          label={t('pings.invite.friends')}
          failedText={t('pings.invite.friendsFailed')}
          emptyText={t('pings.invite.everyoneInvited')}
          maxHeightPx={320}
          onToggle={(userId) => setChosen(toggled(chosen, userId))}
        />
        <FormHelperText error role="status" sx={{ mx: 0, '&:empty': { mt: -1.5 } }}>
          {isChecked && isEmpty && t('pings.noRecipients')}
        </FormHelperText>
        <OfflineNote />
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{t('ui.cancel')}</Button>
        <LoadingButton type="submit" variant="contained" isWorking={invitation.isPending} isDisabled={isOffline}>
          {t('pings.invite.invite')}
        </LoadingButton>
      </DialogActions>
    </Box>
  )
}

/** Returns the circles with those of their members who are not invited yet; without circles that have none. */
function withoutInvited(circles: readonly Circle[], invited: readonly UserId[]): Circle[] {
  return circles
    .map((circle) => ({ ...circle, member_ids: circle.member_ids.filter((id) => !invited.includes(id)) }))
    .filter(({ member_ids }) => member_ids.length > 0)
}

/** "Invited bob" or "Invited 3 friends". */
function invitedText(
  friends: readonly { user_id: UserId; username: string; display_name: string | null }[],
  ids: readonly UserId[],
): string {
  const only = ids.length === 1 ? friends.find(({ user_id }) => user_id === ids[0]) : undefined
  return only
    ? t('pings.invite.invited', { name: shownName(only) })
    : t('pings.invite.invitedFriends', { count: ids.length })
}
