import Typography from '@mui/material/Typography'
import { useNavigate } from 'react-router'
import { Column } from '../ui/Column.tsx'
import { EmptyDrawing } from '../ui/EmptyDrawing.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { useTitle } from '../ui/use-title.ts'
import { chatStrings } from './strings.ts'

export function ChatScreen() {
  useTitle(chatStrings.title)
  const navigate = useNavigate()
  return (
    <Column>
      <Typography variant="h2" component="h1">
        {chatStrings.title}
      </Typography>
      <EmptyState
        drawing={<EmptyDrawing subject="chat" />}
        text={chatStrings.empty}
        action={{ label: chatStrings.toFriends, onClick: () => void navigate('/friends') }}
      />
    </Column>
  )
}
