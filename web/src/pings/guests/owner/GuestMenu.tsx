import type { Guest } from '@hither/contract/pings.ts'
import FlagOutlined from '@mui/icons-material/FlagOutlined'
import MoreVertRounded from '@mui/icons-material/MoreVertRounded'
import PersonAddAltRounded from '@mui/icons-material/PersonAddAltRounded'
import IconButton from '@mui/material/IconButton'
import ListItemIcon from '@mui/material/ListItemIcon'
import MenuItem from '@mui/material/MenuItem'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { friendsQuery, sentRequestsQuery, useSendFriendRequest } from '../../../friends/friends.api.ts'
import { t } from '../../../i18n/translate.ts'
import { ReportDialog } from '../../../moderation/ReportDialog.tsx'
import { Menu } from '../../../ui/overlays/Menu.tsx'
import { useSnackbar } from '../../../ui/use-snackbar.ts'
import { writeErrorText } from '../../view/write-error-text.ts'

/** The less frequent actions for a guest. Only a guest with an account can be added as a friend. */
export function GuestMenu({ guest }: { guest: Guest }) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [isReporting, setIsReporting] = useState(false)
  const isOpen = anchor !== null
  const canAdd = useCanAdd(guest, isOpen)
  const request = useSendFriendRequest()
  const { showError, showNotice } = useSnackbar()

  function handleAdd() {
    setAnchor(null)
    request
      .mutateAsync(guest.name)
      .then(() => showNotice(t('friends.requestSent')))
      .catch((error: unknown) => showError(writeErrorText(error, t('friends.requestFailed'))))
  }

  function handleReport() {
    setAnchor(null)
    setIsReporting(true)
  }

  return (
    <>
      <IconButton
        aria-label={t('pings.guestList.moreAbout', { name: guest.name })}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <MoreVertRounded />
      </IconButton>
      <Menu open={isOpen} anchorEl={anchor} onClose={() => setAnchor(null)}>
        {canAdd && (
          <MenuItem onClick={handleAdd}>
            <ListItemIcon>
              <PersonAddAltRounded fontSize="small" />
            </ListItemIcon>
            {t('pings.guestList.addFriend')}
          </MenuItem>
        )}
        <MenuItem onClick={handleReport}>
          <ListItemIcon>
            <FlagOutlined fontSize="small" />
          </ListItemIcon>
          {t('moderation.report.report')}
        </MenuItem>
      </Menu>
      <ReportDialog
        open={isReporting}
        target={{ kind: 'guest', id: guest.id, name: guest.name }}
        onClose={() => setIsReporting(false)}
      />
    </>
  )
}

/** Whether a friend request would be accepted: not to a friend, and not a second one. */
function useCanAdd({ user_id: userId }: Guest, isOpen: boolean): boolean {
  const friends = useQuery({ ...friendsQuery(), enabled: isOpen && userId !== null })
  const sent = useQuery({ ...sentRequestsQuery(), enabled: isOpen && userId !== null })
  if (userId === null) return false
  const isFriend = friends.data?.some(({ user_id }) => user_id === userId) ?? false
  return !isFriend && !(sent.data?.some(({ requested_id }) => requested_id === userId) ?? false)
}
