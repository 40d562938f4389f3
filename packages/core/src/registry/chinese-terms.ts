/** Terms of Chinese text, and the English words of common requests, so that a Chinese request finds a tool that is described in English. */
import { stemWord } from './stem-word.js';

const glossary: Readonly<Record<string, string>> = {
  读取: 'read', 阅读: 'read', 查看: 'read show view', 打开: 'open read', 显示: 'show display', 写入: 'write', 写: 'write', 保存: 'save write', 编辑: 'edit', 修改: 'edit modify change update', 更新: 'update',
  替换: 'replace', 改成: 'replace', 删除: 'delete remove', 移除: 'remove', 创建: 'create', 新建: 'create', 添加: 'add', 增加: 'add', 复制: 'copy', 移动: 'move', 重命名: 'rename',
  列出: 'list', 列表: 'list', 所有: 'all list', 搜索: 'search', 查找: 'find search', 寻找: 'find', 查询: 'query get search', 获取: 'get fetch', 得到: 'get', 匹配: 'match', 过滤: 'filter', 排序: 'sort',
  文件: 'file', 文件夹: 'folder directory', 目录: 'directory folder', 路径: 'path', 内容: 'content', 文本: 'text', 文字: 'text', 行: 'line', 代码: 'code', 正则: 'regular expression',
  运行: 'run', 执行: 'run execute', 命令: 'command', 脚本: 'script', 终端: 'shell terminal', 测试: 'test', 构建: 'build', 安装: 'install', 启动: 'start', 停止: 'stop',
  网页: 'web page', 网站: 'website', 网址: 'url', 链接: 'link url', 下载: 'download', 上传: 'upload', 请求: 'request', 发送: 'send', 邮件: 'email mail', 消息: 'message', 通知: 'notify notification',
  计算: 'calculate compute', 相加: 'add sum', 总和: 'sum', 平均: 'average mean', 转换: 'convert', 翻译: 'translate', 比较: 'compare', 统计: 'count statistics', 生成: 'generate', 解析: 'parse',
  天气: 'weather', 温度: 'temperature', 时间: 'time', 日期: 'date', 今天: 'today date', 明天: 'tomorrow date', 城市: 'city', 地址: 'address', 位置: 'location', 地图: 'map', 距离: 'distance', 路线: 'route',
  用户: 'user', 密码: 'password', 登录: 'login', 订单: 'order', 价格: 'price', 股票: 'stock', 汇率: 'exchange rate currency', 货币: 'currency', 支付: 'pay payment', 购买: 'buy purchase', 预订: 'book reserve', 航班: 'flight', 酒店: 'hotel', 餐厅: 'restaurant',
  图片: 'image picture', 图像: 'image', 视频: 'video', 音乐: 'music', 歌曲: 'song', 新闻: 'news', 日历: 'calendar', 提醒: 'remind reminder', 任务: 'task', 笔记: 'note', 会议: 'meeting', 数据库: 'database', 数据: 'data', 表格: 'table', 项目: 'project', 版本: 'version', 提交: 'commit submit', 分支: 'branch',
};
const longest = Math.max(...Object.keys(glossary).map((word) => word.length));
let translated: ReadonlyMap<string, readonly string[]> | undefined;

/** Pairs of neighbouring characters, or the one character; for a query also the English of every glossary word, longest first. */
export function chineseTerms(run: string, forQuery: boolean): string[] {
  const characters = Array.from(run);
  const pairs = characters.length === 1 ? characters : characters.slice(1).map((character, index) => `${characters[index]}${character}`);
  return forQuery ? [...pairs, ...englishOf(run)] : pairs;
}

function englishOf(run: string): string[] {
  translated ??= new Map(Object.entries(glossary).map(([word, english]) => [word, english.split(' ').map(stemWord)]));
  const english: string[] = [];
  for (let at = 0; at < run.length; ) {
    const word = longestWordAt(run, at);
    if (word !== undefined) english.push(...(translated.get(word) ?? []));
    at += word?.length ?? 1;
  }
  return english;
}

function longestWordAt(run: string, at: number): string | undefined {
  for (let length = longest; length > 0; length--) {
    const word = run.slice(at, at + length);
    if (word.length === length && Object.hasOwn(glossary, word)) return word;
  }
  return undefined;
}
