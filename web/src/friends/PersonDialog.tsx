import { shownName } from '@hither/contract/runtime/users.ts'
import BlockRounded from '@mui/icons-material/BlockRounded'
import ChatBubbleOutlineRounded from '@mui/icons-material/ChatBubbleOutlineRounded'
import CloseRounded from '@mui/icons-material/CloseRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import DialogContent from '@mui/material/DialogContent'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { t } from '../i18n/translate.ts'
import { ReportButton } from '../moderation/ReportButton.tsx'
import { usePresenceKnown } from '../realtime/live-status.ts'
import { monthAndYear } from '../ui/format-time.ts'
import { Dialog } from '../ui/overlays/Dialog.tsx'
import { UserAvatar } from '../ui/UserAvatar.tsx'
import { BlockDialog } from './BlockDialog.tsx'
import type { Person } from './find-people.ts'
import { friendsQuery, personQuery } from './friends.api.ts'
import { Username } from './Username.tsx'

interface Props {
  open: boolean
  person: Person
  /** The pins of this person that the viewer sees. */
  pins: ReactNode
  onMessage: () => void
  onClose: () => void
}

/** The profile of another user: who they are, their pins, and what the viewer can do. */
export function PersonDialog({ open, person, pins, onMessage, onClose }: Props) {
  const titleId = useId()
  const [isBlocking, setIsBlocking] = useState(false)
  const { user_id: userId, has_image: hasImage } = person
  const name = shownName(person)
  const profile = useQuery({ ...personQuery(userId), enabled: open })
  const { data: friend } = useQuery({
    ...friendsQuery(),
    select: (all) => all.find(({ user_id }) => user_id === userId),
  })
  const isOnline = usePresenceKnown() && friend?.is_online === true
  return (
    <>
      <Dialog open={open} onClose={onClose} maxWidth="xs" fullWidth aria-labelledby={titleId}>
        <IconButton title={t('ui.close')} onClick={onClose} sx={{ position: 'absolute', top: 12, insetInlineEnd: 12 }}>
          <CloseRounded />
        </IconButton>
        <DialogContent sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2.5, pt: 5, pb: 3 }}>
          <Box sx={{ display: 'flex', flexDirection: 'column', alignItems: 'center', textAlign: 'center', gap: 0.5 }}>
            <UserAvatar userId={userId} name={name} hasImage={hasImage} isOnline={isOnline} size={100} />
            <Typography
              id={titleId}
              variant="h3"
              component="h2"
              sx={{ mt: 2, maxWidth: '100%', overflowWrap: 'anywhere' }}
            >
              <bdi>{name}</bdi>
            </Typography>
            <Username of={person} />
            {isOnline && <Typography color="textSecondary">{t('friends.online')}</Typography>}
            <Typography color="textSecondary" sx={{ minHeight: 24 }}>
              {profile.data && t('friends.memberSince', { month: monthAndYear(profile.data.created_at) })}
              {profile.isError && t('friends.profileFailed')}
            </Typography>
          </Box>
          {friend && (
            <Button
              variant="contained"
              size="large"
              startIcon={<ChatBubbleOutlineRounded />}
              onClick={() => {
                onClose()
                onMessage()
              }}
            >
              {t('friends.message')}
            </Button>
          )}
          {pins}
          <Box sx={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'center', gap: 1 }}>
            <Button color="error" startIcon={<BlockRounded />} onClick={() => setIsBlocking(true)}>
              {t('friends.blockConfirm')}
            </Button>
            <ReportButton target={{ kind: 'user', id: userId, name, hasImage }} />
          </Box>
        </DialogContent>
      </Dialog>
      <BlockDialog open={isBlocking} person={person} onBlock={onClose} onClose={() => setIsBlocking(false)} />
    </>
  )
}
