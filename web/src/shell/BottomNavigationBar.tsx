import ChatBubbleOutlineRounded from '@mui/icons-material/ChatBubbleOutlineRounded'
import ChatBubbleRounded from '@mui/icons-material/ChatBubbleRounded'
import GroupRounded from '@mui/icons-material/GroupRounded'
import PeopleOutlineRounded from '@mui/icons-material/PeopleOutlineRounded'
import PlaceOutlined from '@mui/icons-material/PlaceOutlined'
import PlaceRounded from '@mui/icons-material/PlaceRounded'
import Box from '@mui/material/Box'
import { useQuery } from '@tanstack/react-query'
import { summariesQuery } from '../chat/chat.api.ts'
import { totalUnread } from '../chat/chat-changes.ts'
import { receivedRequestsQuery } from '../friends/friends.api.ts'
import { t } from '../i18n/translate.ts'
import { NavigationItem } from './NavigationItem.tsx'

export function BottomNavigationBar() {
  const { data: waiting = 0 } = useQuery({ ...receivedRequestsQuery(), select: (requests) => requests.length })
  const { data: unread = 0 } = useQuery({ ...summariesQuery(), select: totalUnread })
  return (
    <Box
      component="nav"
      data-bar="bottom"
      aria-label={t('shell.navigation')}
      sx={{
        gridRow: 5,
        height: 'calc(4rem + var(--sab))',
        pb: 'var(--sab)',
        px: 'max(8px, var(--sal))',
        display: 'flex',
        justifyContent: 'center',
        bgcolor: 'background.paper',
        borderTop: 1,
        borderColor: 'divider',
      }}
    >
      <NavigationItem to="/" label={t('shell.home')} icon={<PlaceOutlined />} activeIcon={<PlaceRounded />} />
      <NavigationItem
        to="/chat"
        label={t('shell.chat')}
        icon={<ChatBubbleOutlineRounded />}
        activeIcon={<ChatBubbleRounded />}
        count={unread}
      />
      <NavigationItem
        to="/friends"
        label={t('shell.friends')}
        icon={<PeopleOutlineRounded />}
        activeIcon={<GroupRounded />}
        count={waiting}
      />
    </Box>
  )
}
