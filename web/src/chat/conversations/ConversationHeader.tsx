import type { PingId, UserId } from '@hither/contract/ids.ts'
import type { Conversation } from '@hither/contract/messages/messages.ts'
import type { User } from '@hither/contract/users.ts'
import ArrowBackRounded from '@mui/icons-material/ArrowBackRounded'
import PeopleOutlineRounded from '@mui/icons-material/PeopleOutlineRounded'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import { type ReactNode, useState } from 'react'
import { PersonDialog } from '../../friends/PersonDialog.tsx'
import { mirrored } from '../../i18n/language.ts'
import { t } from '../../i18n/translate.ts'
import { lazyComponent } from '../../ui/lazy.tsx'
import { isAdmin } from '../participants/membership.ts'
import { ParticipantsDialog } from '../participants/ParticipantsDialog.tsx'
import { ConversationAvatar } from './ConversationAvatar.tsx'
import { ConversationTitle } from './ConversationTitle.tsx'
import { OptionsMenu } from './OptionsMenu.tsx'
import { RenameForm } from './RenameForm.tsx'

const ChatDateSheet = lazyComponent(async () => (await import('../dates/ChatDateSheet.tsx')).ChatDateSheet)

interface Props {
  conversation: Conversation
  viewer: User
  /** Renders the link to the ping of a ping's chat. */
  renderPing: (pingId: PingId) => ReactNode
  renderPins: (userId: UserId) => ReactNode
  isPingOwner: boolean | undefined
  onClose: () => void
}

export function ConversationHeader({
  conversation,
  viewer,
  renderPing,
  renderPins,
  // Of a ping that is erased, only its owner was an admin at first.
  isPingOwner = isAdmin(conversation, viewer.id),
  onClose,
}: Props) {
  const [isRenaming, setIsRenaming] = useState(false)
  const [isShowingPeople, setIsShowingPeople] = useState(false)
  const [isShowingDate, setIsShowingDate] = useState(false)
  const isGroup = conversation.type === 'group'
  const { ping_id, direct_participant, erase_at } = conversation
  // The sheet does not open again with a new date.
  if (isShowingDate && erase_at === null) setIsShowingDate(false)

  return (
    <Box
      component="header"
      sx={{ flexShrink: 0, bgcolor: 'background.paper', borderBottom: 1, borderColor: 'divider' }}
    >
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 0.5, minHeight: 64, px: 1 }}>
        <IconButton title={t('chat.conversation.back')} onClick={onClose}>
          <ArrowBackRounded sx={mirrored} />
        </IconButton>
        {isRenaming ? (
          <RenameForm conversation={conversation} onDone={() => setIsRenaming(false)} />
        ) : (
          <>
            <ConversationAvatar conversation={conversation} size={40} />
            <ConversationTitle
              conversation={conversation}
              onClick={() => (erase_at === null ? setIsShowingPeople : setIsShowingDate)(true)}
            />
            {isGroup && (
              <IconButton title={t('chat.conversation.participants')} onClick={() => setIsShowingPeople(true)}>
                <PeopleOutlineRounded />
              </IconButton>
            )}
            <OptionsMenu
              conversation={conversation}
              viewer={viewer}
              onRename={() => setIsRenaming(true)}
              onClose={onClose}
            />
          </>
        )}
      </Box>
      {ping_id !== null && renderPing(ping_id)}
      <ChatDateSheet
        open={isShowingDate}
        conversation={conversation}
        viewer={viewer}
        isOwner={isPingOwner}
        onClose={() => setIsShowingDate(false)}
      />
      {isGroup ? (
        <ParticipantsDialog
          open={isShowingPeople}
          conversation={conversation}
          viewer={viewer}
          onClose={() => setIsShowingPeople(false)}
        />
      ) : (
        direct_participant && (
          <PersonDialog
            open={isShowingPeople}
            person={direct_participant}
            pins={renderPins(direct_participant.user_id)}
            // The conversation with this person is already open.
            onMessage={() => undefined}
            onClose={() => setIsShowingPeople(false)}
          />
        )
      )}
    </Box>
  )
}
